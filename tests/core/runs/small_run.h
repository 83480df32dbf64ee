#pragma once

#include "core/attention/cpu_attention.h"
#include "core/runs/json_lines.h"
#include "core/runs/live_run.h"

#include <QTemporaryDir>

#include <fstream>
#include <string>

namespace headscope::test {

/// Two layers of two heads on repeated symbols: a step takes about a millisecond.
inline TrainingConfig smallTrainingConfig(const std::string& more = {})
{
    return parseTrainingConfig(
        R"({"model": {"d_model": 16, "n_layers": 2, "n_heads": 2, "d_ff": 32, "max_len": 32},
            "data": {"task": "repeat", "validation_batches": 1}, "batch_size": 4, "seed": 3,
            "optimizer": {"lr": 0.003}, "log_every": 1, "eval_every": 20, "steps": 60)" +
            more + "}",
        "test");
}

inline LiveRunOptions optionsFor(const std::filesystem::path& folder)
{
    LiveRunOptions options;
    options.folder = folder;
    options.device = "cpu";
    options.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return options;
}

/// Steps until `steps` are done.
inline void train(LiveRun& run, std::int64_t steps)
{
    while (run.stepsDone() < steps)
        run.step();
}

inline std::string textOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string weightsOf(const std::filesystem::path& run, std::int64_t step)
{
    const std::string text =
        textOf(run / "checkpoints" / ("step-" + std::to_string(step) + ".safetensors"));
    return text.empty() ? "missing " + std::to_string(step) : text;
}

/// The log without what depends on time.
inline std::vector<nlohmann::json> logOf(const std::filesystem::path& run)
{
    auto lines = readJsonLines(run / "log.jsonl");
    for (nlohmann::json& line : lines)
        line.erase("tokens_per_s");
    return lines;
}

/// The problem of what `work` throws, or "".
template<class Work>
std::string problemOf(const Work& work)
{
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

class Folder
{
public:
    std::filesystem::path path(const std::string& name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace headscope::test
