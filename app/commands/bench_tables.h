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

/// Measured numbers, ready to be printed: every row includes the shape that it was measured on.
struct BenchTable
{
    std::string name;                 ///< For example "attention".
    std::vector<nlohmann::json> rows; ///< Objects with the same keys as `columns`, or more.
    std::vector<std::string> columns; ///< Printed columns, in order.
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

/// Formats {"bench": name, "kernels": instruction set, "results": rows}.
nlohmann::json toJson(const BenchTable& table);
/// One line per row, and the instruction set of the kernels below.
std::string toText(const BenchTable& table);

} // namespace headscope::app
