#pragma once

#include "core/train/trainer.h"

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// The state of a training run on disk: config.json, checkpoints/tokenizer.json, and for some steps
/// checkpoints/step-N.safetensors and, always for the newest, checkpoints/optimizer-N.safetensors.
/// Every file is written atomically, so a run that is interrupted at any point can be resumed.
class RunDirectory
{
public:
    /// Creates the folder; config.json, which marks it as a training run, is written last. Throws
    /// Error unless isFree. `tokenizerJson` and `cardJson` (for run.json) may be empty.
    static RunDirectory create(const std::filesystem::path& path, const nlohmann::json& config,
                               std::string_view tokenizerJson = {}, std::string_view cardJson = {});

    /// True if a training run can be created there: nothing exists, the folder is empty, or it
    /// contains only the remains of a run interrupted before it had begun.
    static bool isFree(const std::filesystem::path& path);

    /// Throws FormatError if the folder contains no training run.
    static RunDirectory open(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }

    std::filesystem::path checkpointPath(std::int64_t step) const;
    std::filesystem::path optimizerPath(std::int64_t step) const;

    std::vector<std::int64_t> checkpointSteps() const; ///< In ascending order.
    std::vector<std::int64_t> optimizerSteps() const;

    nlohmann::json config() const; ///< Configuration passed to create.

    /// Throws an Error that names the first key in which `config` differs from the stored one,
    /// except for keys that do not affect the numbers: steps, eval_every, checkpoint_every,
    /// log_every.
    void requireSameConfig(const nlohmann::json& config) const;

    /// The newest step with both a checkpoint and the optimizer state.
    std::optional<std::int64_t> newestStep() const;

    /// The state after that step, bit for bit. Throws FormatError for files that are damaged,
    /// belong to another model or another seed, or contain values that are not finite.
    TrainingState load(std::int64_t step, const ModelConfig& config, std::uint64_t seed) const;

    /// Only the weights, with fresh optimizer moments.
    TrainingState loadWeights(std::int64_t step, const ModelConfig& config) const;

    /// Writes checkpoint and optimizer state of state.step.
    void save(const ModelConfig& config, const TrainingState& state, std::uint64_t seed,
              const std::map<std::string, std::string>& extra = {}) const;

private:
    explicit RunDirectory(std::filesystem::path path) : m_path(std::move(path)) {}

    std::filesystem::path m_path;
};

} // namespace headscope
