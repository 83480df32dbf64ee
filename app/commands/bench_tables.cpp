#include "app/commands/bench_tables.h"

#include "core/model/config/model_config_json.h"
#include "core/ops/kernels.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope::app {

namespace {

using Json = nlohmann::json;

nlohmann::json shapeOf(const BenchmarkShape& shape)
{
    return {{"shape", shape.toString()}, {"batch", shape.batch},      {"heads", shape.heads},
            {"tokens", shape.tokens},    {"head_dim", shape.headDim}, {"causal", shape.causal},
            {"backward", shape.backward}};
}

std::string cell(const Json& row, const std::string& column)
{
    const auto found = row.find(column);
    if (found == row.end() || found->is_null())
        return "-";
    if (found->is_string())
        return found->get<std::string>();
    if (found->is_number_float())
        return fmt::format("{:.4g}", found->get<double>());
    return found->dump();
}

std::string_view nameOf(ModelSpeed::Kind kind)
{
    switch (kind) {
    case ModelSpeed::Kind::Prompt:
        return "prompt";
    case ModelSpeed::Kind::Maps:
        return "maps";
    case ModelSpeed::Kind::Decode:
        break;
    }
    return "decode";
}

} // namespace

BenchTable attentionTable(const std::vector<BenchmarkResult>& results)
{
    BenchTable table{"attention", {}, {"shape", "backend", "median_ms", "best_ms", "gflops"}};
    for (const BenchmarkResult& result : results) {
        for (const BenchmarkTimes& times : result.times) {
            Json row = shapeOf(result.shape);
            row["rounds"] = result.rounds;
            row["backend"] = times.backend;
            row["median_ms"] = times.medianMs;
            row["best_ms"] = times.bestMs;
            row["gflops"] = times.gigaFlops;
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

BenchTable trainingTable(const std::vector<TrainingTiming>& timings)
{
    BenchTable table{
        "train", {}, {"case", "rows", "length", "backend", "threads", "median_ms", "tokens_per_s"}};
    for (const TrainingTiming& timing : timings)
        table.rows.push_back({{"case", timing.shape.name},
                              {"rows", timing.shape.rows},
                              {"length", timing.shape.length},
                              {"model", headscope::toJson(timing.shape.model)},
                              {"backend", timing.backend},
                              {"threads", timing.threads},
                              {"rounds", timing.seconds.size()},
                              {"median_ms", timing.medianSeconds * 1e3},
                              {"tokens_per_s", timing.tokensPerSecond},
                              {"flop_per_step", timing.flopPerStep}});
    return table;
}

BenchTable decodeTable(const std::vector<DecodeTiming>& timings)
{
    BenchTable table{
        "decode",
        {},
        {"case", "prompt", "new_tokens", "backend", "first_token_ms", "median_ms", "tokens_per_s"}};
    for (const DecodeTiming& timing : timings)
        table.rows.push_back({{"case", timing.shape.name},
                              {"measured", "prompt and new tokens"},
                              {"prompt", timing.shape.promptTokens},
                              {"new_tokens", timing.shape.newTokens},
                              {"model", headscope::toJson(timing.shape.config)},
                              {"backend", timing.backend},
                              {"rounds", timing.rounds},
                              {"first_token_ms", timing.firstTokenMs},
                              {"median_ms", timing.totalMs},
                              {"tokens_per_s", timing.tokensPerSecond}});
    return table;
}

BenchTable modelSpeedTable(const std::string& model, const std::string& backend, int rounds,
                           const std::vector<ModelSpeed>& speeds)
{
    BenchTable table{"decode", {}, {"model", "measured", "backend", "median_ms", "tokens_per_s"}};
    for (const ModelSpeed& speed : speeds) {
        table.rows.push_back({{"case", model},
                              {"model", model},
                              {"measured", fmt::format("{} {}", nameOf(speed.kind), speed.tokens)},
                              {"tokens", speed.tokens},
                              {"backend", backend},
                              {"rounds", rounds},
                              {"median_ms", speed.milliseconds},
                              {"tokens_per_s", speed.tokensPerSecond()}});
    }
    return table;
}

BenchTable ringTable(const RingTiming& timing)
{
    BenchTable table{"ring",
                     {},
                     {"processes", "tokens", "heads", "head_dim", "ring_ms", "full_ms",
                      "largest_error", "block_bytes", "whole_bytes"}};
    Json visits = Json::array();
    for (const RingVisit& visit : timing.visits)
        visits.push_back({{"worker", visit.worker},
                          {"process", visit.process},
                          {"round", visit.step.round},
                          {"first_key", visit.step.keys.first},
                          {"keys", visit.step.keys.tokens},
                          {"skipped", visit.step.isSkipped},
                          {"ms", visit.ms}});
    table.rows.push_back({{"processes", timing.processes},
                          {"visits", visits},
                          {"measured", "one causal layer, forward"},
                          {"tokens", timing.shape.tokens},
                          {"heads", timing.shape.heads},
                          {"head_dim", timing.shape.headDim},
                          {"rounds", timing.shape.rounds},
                          {"ring_ms", timing.ringMs},
                          {"full_ms", timing.fullMs},
                          {"largest_error", timing.largestError},
                          {"block_bytes", timing.blockBytes},
                          {"whole_bytes", timing.wholeBytes}});
    return table;
}

BenchTable keystrokeTable(const std::vector<KeystrokeTiming>& timings)
{
    BenchTable table{
        "keystroke", {}, {"case", "tokens", "measured", "median_ms", "p95_ms", "maximum_ms"}};
    for (const KeystrokeTiming& timing : timings) {
        const Json shape{
            {"case", timing.name}, {"tokens", timing.tokens}, {"rounds", timing.rounds}};
        Json full = shape;
        full["measured"] = "trace, all positions";
        full["median_ms"] = timing.fullMs;
        Json cached = shape;
        cached["measured"] = "trace, last token changed";
        cached["median_ms"] = timing.cachedMs;
        table.rows.push_back(std::move(full));
        table.rows.push_back(std::move(cached));
    }
    return table;
}

BenchTable scoresTable(const ScoresTiming& timing)
{
    BenchTable table{
        "scores", {}, {"layers", "heads", "tokens", "forward_ms", "scores_ms", "ratio"}};
    table.rows.push_back({{"measured", "all scores of all heads, next to their forward pass"},
                          {"layers", timing.shape.layers},
                          {"heads", timing.shape.heads},
                          {"tokens", timing.shape.tokens},
                          {"rounds", timing.shape.rounds},
                          {"forward_ms", timing.forwardMs},
                          {"scores_ms", timing.scoresMs},
                          {"ratio", timing.ratio()}});
    return table;
}

BenchTable ablationTable(const AblationTiming& timing)
{
    BenchTable table{"ablation",
                     {},
                     {"heads", "tokens", "sweep_ms", "plain_passes_ms", "ratio", "largest_error"}};
    table.rows.push_back({{"measured", "every head ablated once, next to as many complete "
                                       "forward passes"},
                          {"layers", timing.shape.layers},
                          {"heads", timing.heads},
                          {"tokens", timing.shape.tokens},
                          {"rounds", timing.shape.rounds},
                          {"sweep_ms", timing.sweepMs},
                          {"plain_passes_ms", timing.passesMs},
                          {"ratio", timing.ratio()},
                          {"largest_error", timing.largestError}});
    return table;
}

Json toJson(const BenchTable& table)
{
    return {{"bench", table.name}, {"kernels", kernels().name}, {"results", table.rows}};
}

std::string toText(const BenchTable& table)
{
    std::vector<std::size_t> widths;
    for (const std::string& column : table.columns) {
        std::size_t width = column.size();
        for (const Json& row : table.rows)
            width = std::max(width, cell(row, column).size());
        widths.push_back(width);
    }
    std::string text;
    const auto addLine = [&](const auto& cellOf) {
        std::string line;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            line += fmt::format("{:<{}}  ", cellOf(table.columns[i]), widths[i]);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    };
    addLine([](const std::string& column) { return column; });
    for (const Json& row : table.rows)
        addLine([&](const std::string& column) { return cell(row, column); });
    return text + fmt::format("kernels: {}\n", kernels().name);
}

} // namespace headscope::app
