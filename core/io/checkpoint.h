#pragma once

#include "core/model/pass/tracer.h"

#include <filesystem>
#include <map>

namespace headscope {

/// Saves a Headscope checkpoint: parameters, `format=headscope-checkpoint`, `version`, the model
/// configuration as JSON under `config`; the tokenizer beside it as tokenizer.json. `extra`
/// metadata (training step, task, command) is stored as given.
void saveCheckpoint(const std::filesystem::path& path, const Model& model,
                    const std::map<std::string, std::string>& extra = {});

/// Checks format, version, configuration, every name and shape, and that all values are finite.
/// Throws FormatError. `tokenizerPath` defaults to tokenizer.json in the same folder; where that
/// does not exist, texts are ids (IdTokenizer).
LoadedModel loadCheckpoint(const std::filesystem::path& path,
                           const std::filesystem::path& tokenizerPath = {});

/// Reads the configuration of a checkpoint and checks its layout; no weight is read. Throws
/// FormatError.
ModelConfig readCheckpointConfig(const std::filesystem::path& path);

/// Path of the tokenizer of a checkpoint: beside it, or one folder up for the checkpoints of a
/// training run. Nothing may exist there.
std::filesystem::path checkpointTokenizer(const std::filesystem::path& checkpoint);

/// Loads a checkpoint from memory (shipped models). `name` becomes LoadedModel::name and appears in
/// errors.
LoadedModel loadCheckpoint(std::span<const std::byte> checkpoint, std::string_view tokenizerJson,
                           const std::string& name);

} // namespace headscope
