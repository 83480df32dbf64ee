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
    std::vector<std::pair<std::string, double>> layerNorms = {}; ///< "h.0" and its gradient's norm
};

/// Everything that a run has written about itself, as far as it has come. A line that is still
/// being written is left out.
struct RunCurves
{
    std::vector<LogLine> lines; ///< by step
    std::vector<RunEvent> events;

    /// Throws FormatError when `run` is no run's directory.
    static RunCurves read(const std::filesystem::path& run);
};

/// Of events.jsonl, by step. Throws Error for one that is none.
std::vector<RunEvent> readEvents(const std::filesystem::path& run);

} // namespace headscope
