#pragma once

#include "core/runs/run_event.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

/// One line of log.jsonl. Numbers that a run did not write are NaN.
struct LogLine
{
    std::int64_t step = 0;
    double loss = 0.0;
    double validationLoss = 0.0;
    double validationAccuracy = 0.0;
    double perplexity = 0.0;
    double learningRate = 0.0;
    double gradientNorm = 0.0;
    double tokensPerSecond = 0.0;
    /// Pairs of a part, such as "h.0", and its gradient norm.
    std::vector<std::pair<std::string, double>> layerNorms = {};
    /// Terms of a loss that has several: "mlm" and "nsp", "balance", as in TrainingProgress.
    std::vector<std::pair<std::string, double>> lossParts = {};
};

/// Everything that a training run has logged so far. A line that is still being written is left
/// out.
struct RunCurves
{
    std::vector<LogLine> lines; ///< Ordered by step.
    std::vector<RunEvent> events;

    /// Throws FormatError if `run` is not the directory of a training run.
    static RunCurves read(const std::filesystem::path& run);
};

/// Reads events.jsonl, ordered by step. Throws Error for an invalid event.
std::vector<RunEvent> readEvents(const std::filesystem::path& run);

} // namespace headscope
