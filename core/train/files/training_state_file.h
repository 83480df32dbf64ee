#pragma once

#include "core/train/trainer.h"

#include <filesystem>

namespace headscope {

/// Reads the parameters of a checkpoint whose stored configuration must equal `config`. Throws
/// FormatError.
ParameterSet readCheckpointParameters(const std::filesystem::path& path, const ModelConfig& config);

/// Writes both Adam moments, as "first.NAME" and "second.NAME", with step and seed in the metadata.
/// Atomic.
void writeMoments(const std::filesystem::path& path, const TrainingState& state,
                  std::uint64_t seed);

/// Reads the moments of `state`. Throws FormatError unless step, seed, every name and shape match
/// and all values are finite.
void readMoments(const std::filesystem::path& path, const ModelConfig& config, std::uint64_t seed,
                 TrainingState& state);

} // namespace headscope
