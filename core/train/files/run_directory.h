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
/// Every file is written atomically, so a run that dies at any moment can be resumed.
class RunDirectory
{
public:
    /// Makes the folder; config.json, by which it is known as a run, comes last. Throws Error unless
    /// isFree. `tokenizerJson` and `cardJson` (for run.json) may be empty.
    static RunDirectory create(const std::filesystem::path& path, const nlohmann::json& config,
                               std::string_view tokenizerJson = {}, std::string_view cardJson = {});

    /// Whether a run may begin there: nothing is there, an empty folder, or what a run leaves that
    /// died before it had begun.
    static bool isFree(const std::filesystem::path& path);

    /// Throws FormatError when the folder holds no training run.
    static RunDirectory open(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }

    std::filesystem::path checkpointPath(std::int64_t step) const;
    std::filesystem::path optimizerPath(std::int64_t step) const;

    std::vector<std::int64_t> checkpointSteps() const; ///< in order
    std::vector<std::int64_t> optimizerSteps() const;

    nlohmann::json config() const; ///< as it was given to create

    /// Throws Error naming the first key in which `config` differs from the stored one, apart from
    /// keys that do not change the numbers: steps, eval_every, checkpoint_every, log_every.
    void requireSameConfig(const nlohmann::json& config) const;

    /// The newest step that has both a checkpoint and the optimizer's state.
    std::optional<std::int64_t> newestStep() const;

    /// The state after that step, bit for bit. Throws FormatError for files that are damaged,
    /// belong to another model or another seed, or that hold values that are not finite.
    TrainingState load(std::int64_t step, const ModelConfig& config, std::uint64_t seed) const;

    /// The weights alone, with fresh optimizer moments.
    TrainingState loadWeights(std::int64_t step, const ModelConfig& config) const;

    /// Writes checkpoint and optimizer state of state.step.
    void save(const ModelConfig& config, const TrainingState& state, std::uint64_t seed,
              const std::map<std::string, std::string>& extra = {}) const;

private:
    explicit RunDirectory(std::filesystem::path path) : m_path(std::move(path)) {}

    std::filesystem::path m_path;
};

} // namespace headscope
