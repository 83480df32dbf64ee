#pragma once

#include "core/analysis/benchmarks/analysis_benchmark.h"
#include "core/analysis/benchmarks/keystroke_benchmark.h"
#include "core/attention/attention_benchmark.h"
#include "core/cluster/ring_benchmark.h"
#include "core/generate/decode_benchmark.h"
#include "core/generate/model_speed.h"
#include "core/train/training_benchmark.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// Measured numbers, ready to be printed: every row carries the shape that it was measured on.
struct BenchTable
{
    std::string name;                 ///< "attention"
    std::vector<nlohmann::json> rows; ///< objects with the same keys as `columns`, or more
    std::vector<std::string> columns; ///< those that a person sees, in order
};

BenchTable attentionTable(const std::vector<BenchmarkResult>& results);
BenchTable trainingTable(const std::vector<TrainingTiming>& timings);
BenchTable decodeTable(const std::vector<DecodeTiming>& timings);
BenchTable modelSpeedTable(const std::string& model, const std::string& backend, int rounds,
                           const std::vector<ModelSpeed>& speeds);
BenchTable ringTable(const RingTiming& timing);
BenchTable keystrokeTable(const std::vector<KeystrokeTiming>& timings);
BenchTable scoresTable(const ScoresTiming& timing);
BenchTable ablationTable(const AblationTiming& timing);

nlohmann::json toJson(const BenchTable& table); ///< {"bench": name, "results": rows}
std::string toText(const BenchTable& table);

} // namespace headscope::app
