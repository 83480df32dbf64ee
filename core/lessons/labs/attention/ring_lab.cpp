#include "core/base/content_language.h"
#include "core/cluster/ring_attention.h"
#include "core/cluster/thread_group.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kHeadDim = 16;

/// Steps of every worker by round, and the difference of its rows from full attention.
struct RingRun
{
    std::vector<std::vector<RingStep>> steps; ///< [worker][round].
    std::vector<double> differences;          ///< [worker].

    double largest() const { return *std::ranges::max_element(differences); }
};

double partDifference(const Tensor& part, TensorView whole)
{
    const TensorView own = part.view();
    double largest = 0.0;
    for (std::int64_t head = 0; head < own.shape[1]; ++head)
        for (std::int64_t token = 0; token < own.shape[2]; ++token)
            for (std::int64_t d = 0; d < own.shape[3]; ++d)
                largest =
                    std::max(largest, std::abs(static_cast<double>(own(0, head, token, d)) -
                                               static_cast<double>(whole(0, head, token, d))));
    return largest;
}

/// Real ring attention: every worker is a thread with its own attention backend.
RingRun runRing(const AttentionInputs& whole, std::int64_t workers, const LabContext& context)
{
    const auto backend = backendOf(context);
    const Tensor full = contextOf(whole, *backend);
    const std::int64_t tokens = whole.queries.shape[2];
    RingRun run;
    run.steps.resize(static_cast<std::size_t>(workers));
    run.differences.resize(static_cast<std::size_t>(workers));
    runThreadGroup(workers, [&](Communicator& group) {
        const auto rank = static_cast<std::size_t>(group.rank());
        const RingPart part = ringPart(tokens, group.rank(), workers);
        const RingInputs inputs{tokenRange(whole.queries, part.first, part.tokens),
                                tokenRange(whole.keys, part.first, part.tokens),
                                tokenRange(whole.values, part.first, part.tokens),
                                tokens,
                                whole.scale,
                                whole.mask.causal};
        const auto own = backendOf(context);
        Tensor result({1, kHeads, part.tokens, kHeadDim});
        ringAttention(group, *own, inputs, result.view(),
                      [&](const RingStep& step) { run.steps[rank].push_back(step); });
        run.differences[rank] =
            partDifference(result, tokenRange(full.view(), part.first, part.tokens));
    });
    return run;
}

std::string tokensText(const RingPart& part)
{
    return message(fmt::format("{:d} to {:d}", part.first, part.first + part.tokens - 1));
}

/// Worker that owns these keys.
int ownerOf(const RingPart& part, std::int64_t tokens, std::int64_t workers)
{
    for (std::int64_t rank = 0; rank < workers; ++rank)
        if (ringPart(tokens, rank, workers) == part)
            return static_cast<int>(rank);
    return 0;
}

LabTiles plot(const RingRun& run, std::int64_t tokens)
{
    const auto workers = static_cast<std::int64_t>(run.steps.size());
    LabTiles tiles;
    tiles.rows = static_cast<int>(workers);
    tiles.columns = tiles.rows;
    tiles.rowsName = "queries of worker";
    tiles.columnsName = "keys of worker";
    for (std::size_t round = 0; round < run.steps.size(); ++round)
        for (std::size_t worker = 0; worker < run.steps.size(); ++worker) {
            const RingStep& step = run.steps[worker][round];
            const int owner = ownerOf(step.keys, tokens, workers);
            if (step.isSkipped) {
                tiles.skipped.emplace_back(static_cast<int>(worker), owner);
                continue;
            }
            LabTiles::Tile tile;
            tile.row = static_cast<int>(worker);
            tile.column = owner;
            tile.worker = static_cast<int>(worker);
            tile.caption = fmt::format("round {}: worker {} attends to keys {} of worker {}",
                                       round + 1, worker, tokensText(step.keys), owner);
            tile.numbers = {{"round", static_cast<double>(round + 1)},
                            {"keys in this block", static_cast<double>(step.keys.tokens)}};
            tiles.tiles.push_back(std::move(tile));
        }
    return tiles;
}

LabTable roundsTable(const RingRun& run, std::int64_t tokens)
{
    const auto workers = static_cast<std::int64_t>(run.steps.size());
    LabTable table{{"Worker", "Its queries"}};
    for (std::int64_t round = 1; round <= workers; ++round)
        table.columns.push_back(fmt::format("Round {}", round));
    for (std::int64_t worker = 0; worker < workers; ++worker) {
        auto& row = table.rows.emplace_back();
        row = {fmt::format("{}", worker), tokensText(ringPart(tokens, worker, workers))};
        for (const RingStep& step : run.steps[static_cast<std::size_t>(worker)]) {
            const int owner = ownerOf(step.keys, tokens, workers);
            row.push_back(step.isSkipped ? fmt::format("({})", owner) : fmt::format("{}", owner));
        }
    }
    return table;
}

} // namespace

LabResult runRing(const LabSettings& settings, const LabContext& context, const std::stop_token&)
{
    const std::int64_t workers = settings.integer("workers");
    LayerOperands::Extents extents;
    extents.heads = kHeads;
    extents.tokens = settings.integer("tokens");
    extents.headDim = kHeadDim;
    const LayerOperands operands(extents, 13);
    const AttentionInputs inputs = operands.inputs(settings.isOn("causal"));
    const RingRun ring = runRing(inputs, workers, context);
    const LabTiles tiles = plot(ring, extents.tokens);
    const auto token = static_cast<std::int64_t>(2 * kHeads * kHeadDim * sizeof(float));
    const std::int64_t block = (extents.tokens + workers - 1) / workers * token;
    LabResult result;
    result.panels = {{"Blocks of keys travel around the ring", "one colour per worker", tiles},
                     {"Whose keys each worker holds",
                      "blocks move on each round; in brackets: later keys only, nothing to compute",
                      roundsTable(ring, extents.tokens)}};
    result.numbers = {
        labNumber("workers", "Workers", workers),
        labNumber("tokens", "Tokens", extents.tokens),
        labNumber("blocks", "Blocks computed", static_cast<std::int64_t>(tiles.tiles.size())),
        labNumber("skipped", "Blocks skipped", static_cast<std::int64_t>(tiles.skipped.size())),
        labNumber("block_bytes", "Keys and values per worker", block, "B"),
        labNumber("whole_bytes", "Keys and values of the text", extents.tokens * token, "B"),
        labNumber("largest_difference", "Difference from full attention", ring.largest())};
    result.sentence = fmt::format(
        "{} {} held {} of {} at a time and computed the same result: the largest difference "
        "from full attention is {:.1g}.",
        workers, workers == 1 ? "worker" : "workers each", bytesText(static_cast<double>(block)),
        bytesText(static_cast<double>(extents.tokens * token)), ring.largest());
    return result;
}

} // namespace headscope
