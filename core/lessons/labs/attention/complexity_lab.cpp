#include "core/attention/cpu_attention.h"
#include "core/base/heap_use.h"
#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/attention/recurrent_learner.h"
#include "core/lessons/labs/lab.h"
#include "core/ops/matmul.h"
#include "core/ops/softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kShortest = 64;
constexpr int kRounds = 7; ///< The median is used: other work interrupts some rounds.

/// Softmax(Q K^T) V with the whole matrix of scores in memory, from the program's own matrix
/// products and softmax. Heads are computed in parallel on all threads, as in the tiled version.
class PlainAttention
{
public:
    /// Writes the result to `context` [1, heads, tokens, dim].
    PlainAttention(const AttentionInputs& inputs, MutableTensorView context)
        : m_inputs(inputs)
        , m_tokens(inputs.queries.shape[2])
        , m_scores({inputs.queries.shape[1], m_tokens, m_tokens})
        , m_context(context)
    {
    }

    void run()
    {
        const auto heads = static_cast<std::size_t>(m_inputs.queries.shape[1]);
        parallelFor(heads, std::min(heads, workerCount()),
                    [this](std::size_t begin, std::size_t end, std::size_t) {
                        for (std::size_t head = begin; head < end; ++head)
                            runHead(static_cast<std::int64_t>(head));
                    });
    }

private:
    void runHead(std::int64_t head)
    {
        const std::int64_t dim = m_inputs.queries.shape[3];
        const TensorView queries = m_inputs.queries[0][head];
        const TensorView keys = m_inputs.keys[0][head];
        const TensorView values = m_inputs.values[0][head];
        const MutableTensorView scores = m_scores.view()[head];
        matmul(Transpose::No, Transpose::Yes, m_tokens, m_tokens, dim, m_inputs.scale, queries.data,
               dim, keys.data, dim, 0.0F, scores.data, m_tokens);
        softmax(scores, scores);
        matmul(Transpose::No, Transpose::No, m_tokens, dim, m_tokens, 1.0F, scores.data, m_tokens,
               values.data, dim, 0.0F, m_context[0][head].data, dim);
    }

    AttentionInputs m_inputs;
    std::int64_t m_tokens;
    Tensor m_scores;
    MutableTensorView m_context;
};

/// Measurements of both methods at one length.
struct Measured
{
    double tokens = 0.0;
    double plainMs = 0.0;
    double tiledMs = 0.0;
    double plainBytes = 0.0;
    double tiledBytes = 0.0;
    double difference = 0.0;
};

std::shared_ptr<const void> heldBy(const AttentionInputs& inputs, MutableTensorView context)
{
    auto plain = std::make_shared<PlainAttention>(inputs, context);
    plain->run();
    return plain;
}

std::shared_ptr<const void> heldBy(const AttentionInputs& inputs, const AttentionOutputs& outputs)
{
    auto tiled = std::make_shared<CpuAttention>();
    // A parallel call inside another runs in place: with one thread that allocates, what the heap
    // holds does not depend on which thread was free.
    parallelFor(2, 2, [&](std::size_t, std::size_t, std::size_t part) {
        if (part == 0)
            tiled->forward(inputs, outputs);
    });
    return tiled;
}

/// Bytes of the heap that the result of `make` holds: the median of several rounds, since other
/// threads allocate as well. `counted` where the allocator does not count.
double heapOf(const std::function<std::shared_ptr<const void>()>& make, double counted)
{
    if (heapInUse() == 0)
        return counted;
    make(); // what is allocated once for all is no part of it
    std::vector<double> bytes;
    for (int round = 0; round < kRounds; ++round) {
        const auto before = static_cast<double>(heapInUse());
        const auto held = make();
        bytes.push_back(static_cast<double>(heapInUse()) - before);
    }
    std::ranges::nth_element(bytes, bytes.begin() + kRounds / 2);
    return std::max(bytes[kRounds / 2], 1.0);
}

Measured measure(std::int64_t tokens, std::int64_t dim)
{
    LayerOperands::Extents extents;
    extents.heads = kHeads;
    extents.tokens = tokens;
    extents.headDim = dim;
    const LayerOperands operands(extents, 7);
    const AttentionInputs inputs = operands.inputs(false);
    const auto scoreBytes = static_cast<std::uint64_t>(kHeads * tokens * tokens) * sizeof(float);
    requireMemory(scoreBytes, fmt::format("the scores of {} tokens", tokens));
    Tensor context(inputs.queries.shape);
    Tensor plainContext(inputs.queries.shape);
    AttentionOutputs outputs;
    outputs.context = context.view();
    Measured measured;
    measured.tokens = static_cast<double>(tokens);
    measured.plainBytes = heapOf([&] { return heldBy(inputs, plainContext.view()); },
                                 static_cast<double>(scoreBytes));
    PlainAttention plain(inputs, plainContext.view());
    CpuAttention tiled;
    plain.run();
    tiled.forward(inputs, outputs);
    const std::size_t threads = std::min<std::size_t>(kHeads, workerCount());
    measured.tiledBytes = heapOf([&] { return heldBy(inputs, outputs); },
                                 static_cast<double>(tiled.workspaceBytes() * threads));
    measured.plainMs = medianMilliseconds(kRounds, [&](int) { plain.run(); });
    measured.tiledMs = medianMilliseconds(kRounds, [&](int) { tiled.forward(inputs, outputs); });
    measured.difference = largestDifference(plainContext, context);
    return measured;
}

std::vector<Measured> measureUpTo(std::int64_t longest, std::int64_t dim, const LabContext& context,
                                  const std::stop_token& stop)
{
    std::vector<Measured> all;
    for (std::int64_t tokens = kShortest; tokens <= longest; tokens *= 2) {
        throwIfStopped(stop);
        all.push_back(measure(tokens, dim));
        reportProgress(context, all.back().tokens * all.back().tokens /
                                    static_cast<double>(longest * longest));
    }
    return all;
}

using Field = double Measured::*;

std::vector<double> column(const std::vector<Measured>& all, Field field)
{
    std::vector<double> values;
    for (const Measured& one : all)
        values.push_back(one.*field);
    return values;
}

LabChart growthChart(const char* y, const std::vector<double>& tokens)
{
    LabChart chart{"tokens", y, true, true};
    chart.mark = tokens.back();
    chart.markText = fmt::format("n = {:.0f}", tokens.back());
    return chart;
}

LabChart bothChart(const char* y, const std::vector<Measured>& all, Field plain, Field tiled)
{
    const std::vector<double> tokens = column(all, &Measured::tokens);
    LabChart chart = growthChart(y, tokens);
    chart.series = {{"all scores at once", tokens, column(all, plain), true},
                    {"in tiles", tokens, column(all, tiled)}};
    return chart;
}

/// Longest text for paths: over twice as many steps the gradient of the untrained network is no
/// float any more.
constexpr std::int64_t kLongestPath = 64;

/// Path length between the first and the last token: layers of attention, and steps over which the
/// gradient comes through the states of a recurrent network.
LabChart pathChart(std::int64_t longest, const std::stop_token& stop)
{
    LabChart::Series attention{"attention"};
    LabChart::Series recurrent{"token by token", {}, {}, true};
    AttentionMask causal;
    causal.causal = true;
    for (std::int64_t tokens = 8; tokens <= std::min(longest, kLongestPath); tokens *= 2) {
        throwIfStopped(stop);
        attention.x.push_back(static_cast<double>(tokens));
        attention.y.push_back(static_cast<double>(layersToReach(causal, tokens)));
        recurrent.y.push_back(
            static_cast<double>(recurrentPathLength(RecurrentKind::Lstm, tokens)));
    }
    recurrent.x = attention.x;
    LabChart chart = growthChart("steps", attention.x);
    chart.series = {recurrent, attention};
    return chart;
}

/// Exponent fitted to the longer half, where fixed costs are negligible.
double tailSlope(const std::vector<double>& x, const std::vector<double>& y)
{
    const auto from = static_cast<std::ptrdiff_t>(x.size() / 2);
    return logLogSlope({x.begin() + from, x.end()}, {y.begin() + from, y.end()});
}

} // namespace

LabResult runFlashMeasured(const LabSettings& settings, const LabContext& context,
                           const std::stop_token& stop)
{
    const std::vector<Measured> all = measureUpTo(chosenNumber(settings, "longest"),
                                                  chosenNumber(settings, "d_k"), context, stop);
    const Measured& last = all.back();
    const std::vector<double> tokens = column(all, &Measured::tokens);
    LabResult result;
    result.panels = {{"Memory", fmt::format("{} heads; memory besides operands, measured", kHeads),
                      bothChart("bytes", all, &Measured::plainBytes, &Measured::tiledBytes)},
                     {"Time", "measured on this machine",
                      bothChart("ms", all, &Measured::plainMs, &Measured::tiledMs)}};
    const auto slope = [&](Field field) { return logLogSlope(tokens, column(all, field)); };
    result.numbers = {
        labNumber("tokens", "Tokens", last.tokens),
        measuredNumber("plain_bytes", "All scores at once", last.plainBytes, "B"),
        measuredNumber("tiled_bytes", "In tiles", last.tiledBytes, "B"),
        measuredNumber("plain_memory_slope", "Memory exponent, all scores",
                       slope(&Measured::plainBytes), ""),
        measuredNumber("tiled_memory_slope", "Memory exponent, tiles", slope(&Measured::tiledBytes),
                       ""),
        measuredNumber("plain_ms", "Time, all scores", last.plainMs, "ms"),
        measuredNumber("tiled_ms", "Time, in tiles", last.tiledMs, "ms"),
        measuredNumber("speedup", "Speed-up from tiles", last.plainMs / last.tiledMs, ""),
        labNumber("largest_difference", "Difference of the results", last.difference)};
    result.sentence = fmt::format(
        "At {:.0f} tokens, all scores at once took {} and {:.2f} ms, tiles took {} and {:.2f} ms. "
        "The results differ by {:.1g} at most.",
        last.tokens, bytesText(last.plainBytes), last.plainMs, bytesText(last.tiledBytes),
        last.tiledMs, last.difference);
    return result;
}

LabResult runComplexity(const LabSettings& settings, const LabContext& context,
                        const std::stop_token& stop)
{
    const std::int64_t longest = chosenNumber(settings, "longest");
    const std::vector<Measured> all =
        measureUpTo(longest, chosenNumber(settings, "d_k"), context, stop);
    const Measured& last = all.back();
    const std::vector<double> tokens = column(all, &Measured::tokens);
    const double timeSlope = tailSlope(tokens, column(all, &Measured::tiledMs));
    const double memorySlope = tailSlope(tokens, column(all, &Measured::plainBytes));
    const double tiledSlope = logLogSlope(tokens, column(all, &Measured::tiledBytes));
    LabChart time = growthChart("ms", tokens);
    LabChart::Series square{"n²", tokens, {}, true};
    for (const double n : tokens)
        square.y.push_back(last.tiledMs * n * n / (last.tokens * last.tokens));
    time.series = {{"measured", tokens, column(all, &Measured::tiledMs)}, square};
    LabChart memory = growthChart("bytes", tokens);
    memory.series = {{"all weights", tokens, column(all, &Measured::plainBytes)},
                     {"in tiles", tokens, column(all, &Measured::tiledBytes), true}};
    const LabChart paths = pathChart(longest, stop);
    LabResult result;
    result.panels = {
        {"Time", fmt::format("slope {:.2f}, measured on this machine; dashed: n²", timeSlope),
         time},
        {"Memory", fmt::format("slope {:.2f}, measured on this machine", memorySlope), memory},
        {"Steps from the first token to the last",
         "measured: layers of attention, and how far the gradient of an LSTM must travel", paths}};
    result.numbers = {
        labNumber("tokens", "Tokens", last.tokens),
        measuredNumber("ms", "Time", last.tiledMs, "ms"),
        measuredNumber("time_slope", "Time exponent", timeSlope, ""),
        measuredNumber("bytes", "Memory with all weights", last.plainBytes, "B"),
        measuredNumber("memory_slope", "Memory exponent", memorySlope, ""),
        measuredNumber("tiled_slope", "Memory exponent, in tiles", tiledSlope, ""),
        labNumber("counted", "n × n weights, counted",
                  static_cast<double>(kHeads * sizeof(float)) * last.tokens * last.tokens, "B"),
        labNumber("path_tokens", "Path: tokens", paths.series[0].x.back()),
        labNumber("path_recurrent", "Path: steps, recurrent", paths.series[0].y.back()),
        labNumber("path_attention", "Path: steps, attention", paths.series[1].y.back())};
    result.sentence =
        fmt::format("Twice the tokens take {:.1f} times the time (slope {:.2f}) and {:.1f} times "
                    "the memory. In "
                    "return, any two of {:.0f} tokens are {:.0f} step apart, not {:.0f}.",
                    std::exp2(timeSlope), timeSlope, std::exp2(memorySlope),
                    paths.series[0].x.back(), paths.series[1].y.back(), paths.series[0].y.back());
    return result;
}

} // namespace headscope
