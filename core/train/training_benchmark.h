#pragma once

#include "core/attention/attention_backend.h"
#include "core/model/config/model_config.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// A model and a batch whose training step is timed.
struct TrainingBenchmarkCase
{
    std::string name;
    ModelConfig model;
    std::int64_t rows = 0;
    std::int64_t length = 0;
};

struct TrainingTiming
{
    TrainingBenchmarkCase shape;
    std::string backend; ///< Backend that computed attention.
    std::size_t threads = 0;
    std::vector<double> seconds; ///< Seconds of one step, one value per round.
    double medianSeconds = 0.0;
    double tokensPerSecond = 0.0; ///< Tokens per second at the median.
    /// Operations of the matrix products and attention, forward and backward.
    double flopPerStep = 0.0;
};

/// Cases toy, small and mini: the shapes for which times of other programs are known.
std::vector<TrainingBenchmarkCase> trainingBenchmarkCases();

/// Times complete steps (forward, loss, backward, AdamW) on random tokens. Every round times each
/// case for about `secondsPerRound`, so that a machine that slows down affects all cases alike.
/// `progress` receives the fraction done after each case of a round.
std::vector<TrainingTiming>
benchmarkTraining(const std::vector<TrainingBenchmarkCase>& cases, int rounds,
                  const std::function<std::unique_ptr<AttentionBackend>()>& makeBackend,
                  double secondsPerRound = 0.1, std::stop_token stop = {},
                  const std::function<void(double)>& progress = {});

} // namespace headscope
