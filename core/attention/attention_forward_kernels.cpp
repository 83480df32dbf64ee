#include "core/attention/attention_chunks.h"
#include "core/attention/attention_kernels.h"
#include "core/attention/attention_math.h"
#include "core/attention/attention_products.h"
#include "core/attention/attention_scores.h"

// Attention forward without the pattern in memory: online softmax over tiles of keys (Milakov and
// Gimelshein 2018; Dao et al. 2022), one block of query rows at a time.

namespace headscope::HEADSCOPE_ISA {

namespace {

/// State that a block of query rows keeps between tiles of keys.
struct RowBlock
{
    std::int64_t first;
    std::int64_t rows;
    RowChunks queries;
    float* tile; ///< Tile [rows, kTileStride]: scores, then weights.
    float* sums; ///< Sums [rows, sumStride]: weights times values so far.
    std::int64_t sumStride;
    bool isCareful;       ///< True when keys of weight 0 must add nothing, whatever their values.
    float largest[kRows]; ///< Largest score so far, in units of log2.
    float total[kRows];   ///< Sum of the weights 2^(score - largest).
};

/// A tile of keys: scores are computed for [first, end), softmax runs over [begin, softmaxEnd).
struct KeyTile
{
    std::int64_t first;
    std::int64_t end;
    std::int64_t begin;
    std::int64_t softmaxEnd;

    std::int64_t keys() const { return end - first; }
};

void writeRow(float* target, const float* values, float factor, std::int64_t count)
{
    forEachVector(count, [&](std::int64_t at, std::int64_t lanes) {
        storeUpTo(target + at, factor * load(values + at), lanes);
    });
}

/// Adds bias, cap and slope; writes the scores before the mask; then converts to units of log2.
void finishScores(const HeadForward& head, const RowBlock& block, const KeyTile& keys)
{
    const bool terms = hasScoreTerms(head.operands);
    for (std::int64_t row = 0; row < block.rows; ++row) {
        float* scores = block.tile + row * kTileStride;
        const std::int64_t query = block.first + row;
        if (terms)
            addScoreTerms(head.operands, query, keys.first, keys.keys(), scores, nullptr);
        if (head.scores != nullptr)
            writeRow(head.scores + query * head.scoresStride + keys.first, scores,
                     terms ? 1.0F : kLn2, keys.keys());
        if (terms)
            scaleRow(scores, keys.keys(), kLog2E);
    }
}

/// Includes `score`: weights are relative to the largest score, so earlier ones shrink.
HEADSCOPE_INLINE void raiseLargest(RowBlock& block, std::int64_t row, float score)
{
    if (!(block.largest[row] == kMinusInfinity)) {
        const float shrink = exp2Of(broadcast(block.largest[row] - score))[0];
        block.total[row] *= shrink;
        scaleRow(block.sums + row * block.sumStride, block.sumStride, shrink);
    }
    block.largest[row] = score;
}

/// Turns masked scores of one row into weights.
void softmaxRow(RowBlock& block, std::int64_t row, std::int64_t count)
{
    float* scores = block.tile + row * kTileStride;
    FloatVector most = load(scores);
    for (std::int64_t at = kLanes; at < count; at += kLanes)
        most = maximum(most, load(scores + at));
    const float largest = maximumOf(most);
    if (largest > block.largest[row] || !(largest == largest))
        raiseLargest(block, row, largest);
    const FloatVector shift =
        broadcast(block.largest[row] == kMinusInfinity ? 0.0F : block.largest[row]);
    FloatVector total{};
    for (std::int64_t at = 0; at < count; at += kLanes) {
        const FloatVector weight = exp2Of(load(scores + at) - shift);
        total += weight;
        store(scores + at, weight);
    }
    block.total[row] += sumOf(total);
}

void softmaxTile(const HeadForward& head, RowBlock& block, const KeyTile& keys)
{
    const HeadOperands& operands = head.operands;
    const std::int64_t count = keys.softmaxEnd - keys.first;
    for (std::int64_t row = 0; row < block.rows; ++row) {
        float* scores = block.tile + row * kTileStride;
        const std::int64_t query = block.first + row;
        maskRow(operands, query, keys.first, count, scores);
        if (head.pattern != nullptr)
            writeRow(head.pattern + query * head.patternStride + keys.first, scores, 1.0F, count);
        softmaxRow(block, row, count);
        if (operands.keep != nullptr)
            dropRow(operands, query, keys.first, count, scores);
    }
}

/// Adds a row's weights times values, without the products 0 * NaN and 0 * infinity of hidden keys.
void addSeenValues(const HeadForward& head, const RowBlock& block, const KeyTile& keys)
{
    for (std::int64_t row = 0; row < block.rows; ++row)
        for (std::int64_t key = keys.begin; key < keys.softmaxEnd; ++key) {
            const float weight = block.tile[row * kTileStride + key - keys.first];
            const float* value = head.valueRows + key * head.valueStride;
            float* sums = block.sums + row * block.sumStride;
            for (std::int64_t at = 0; weight != 0.0F && at < block.sumStride; at += kLanes)
                store(sums + at, load(sums + at) + weight * load(value + at));
        }
}

bool hasNan(const RowBlock& block)
{
    FloatVector all{};
    for (std::int64_t row = 0; row < block.rows; ++row) {
        FloatVector sum{};
        for (std::int64_t at = 0; at < block.sumStride; at += kLanes)
            sum += 0.0F * load(block.sums + row * block.sumStride + at);
        all = sum == sum ? all : sum; // infinity is skipped as well, which is harmless
    }
    const float one = sumOf(all);
    return !(one == one);
}

void addValues(const HeadForward& head, const RowBlock& block, const KeyTile& keys)
{
    if (block.isCareful) {
        addSeenValues(head, block, keys);
        return;
    }
    const Product product{block.tile + (keys.begin - keys.first),
                          head.valueRows + keys.begin * head.valueStride,
                          head.valueStride,
                          keys.softmaxEnd - keys.begin,
                          block.sums,
                          block.sumStride,
                          true};
    multiply<Layout::Rows>(product, block.rows, head.operands.valueDim);
}

/// Turns the scores left in the pattern into probabilities; hidden keys get 0.
void finishPattern(const HeadForward& head, const RowBlock& block, std::int64_t row,
                   KeySpan visited)
{
    float* pattern = head.pattern + (block.first + row) * head.patternStride;
    const bool empty = block.total[row] == 0.0F;
    const float shift = empty ? 0.0F : block.largest[row];
    const float factor = empty ? 0.0F : 1.0F / block.total[row];
    const auto fill = [&](std::int64_t begin, std::int64_t end) {
        forEachVector(end - begin, [&](std::int64_t at, std::int64_t lanes) {
            storeUpTo(pattern + begin + at, FloatVector{}, lanes);
        });
    };
    fill(0, visited.begin);
    fill(visited.end, head.operands.keyTokens);
    float* seen = pattern + visited.begin;
    forEachVector(visited.end - visited.begin, [&](std::int64_t at, std::int64_t lanes) {
        const FloatVector score = loadUpTo(seen + at, lanes);
        storeUpTo(seen + at, factor * exp2Of(score - shift), lanes);
    });
}

void finishRows(const HeadForward& head, const RowBlock& block, KeySpan visited)
{
    for (std::int64_t row = 0; row < block.rows; ++row) {
        const std::int64_t query = block.first + row;
        const bool empty = block.total[row] == 0.0F;
        const float factor = empty ? 0.0F : 1.0F / block.total[row];
        writeRow(head.context + query * head.contextStride, block.sums + row * block.sumStride,
                 factor, head.operands.valueDim);
        if (head.logSumExp != nullptr)
            head.logSumExp[query] =
                empty ? kMinusInfinity
                      : block.largest[row] * kLn2 + __builtin_logf(block.total[row]);
        if (head.pattern != nullptr)
            finishPattern(head, block, row, visited);
    }
}

void startBlock(const HeadForward& head, RowBlock& block)
{
    const HeadOperands& operands = head.operands;
    block.queries.rows = block.rows;
    copyRows(operands.queries + block.first * operands.queryStride, operands.queryStride,
             queryFactor(operands), block.queries);
    for (std::int64_t at = 0; at < block.rows * block.sumStride; at += kLanes)
        store(block.sums + at, FloatVector{});
    for (std::int64_t row = 0; row < block.rows; ++row) {
        block.largest[row] = kMinusInfinity;
        block.total[row] = 0.0F;
    }
}

/// Keys that were visited, in whole tiles.
KeySpan addTiles(const HeadForward& head, RowBlock& block)
{
    const HeadOperands& operands = head.operands;
    startBlock(head, block);
    const KeySpan visible = visibleSpan(operands, block.first, block.first + block.rows);
    const bool everyScore = head.scores != nullptr;
    const KeySpan scored = everyScore ? KeySpan{0, operands.keyTokens} : visible;
    const std::int64_t start = scored.begin / kPanelKeys * kPanelKeys;
    KeySpan visited{scored.end, scored.end};
    for (std::int64_t first = start; first < scored.end; first += kTile) {
        KeyTile keys{first, smaller(first + kTile, scored.end), 0, 0};
        if (operands.keyPanels != nullptr)
            scoreTile(block.queries, operands.keyPanels, first, keys.keys(), block.tile);
        else
            scoreKeys(block.queries, operands.keyRows + first * operands.keyStride,
                      operands.keyStride, keys.keys(), block.tile);
        finishScores(head, block, keys);
        keys.begin = larger(first, visible.begin);
        keys.softmaxEnd = smaller(keys.end, visible.end);
        if (keys.begin >= keys.softmaxEnd)
            continue;
        softmaxTile(head, block, keys);
        addValues(head, block, keys);
        visited = {smaller(visited.begin, first), keys.softmaxEnd};
    }
    return visited.begin < visited.end ? visited : KeySpan{0, 0};
}

void forwardBlock(const HeadForward& head, RowBlock& block)
{
    block.isCareful = false;
    KeySpan visited = addTiles(head, block);
    if (hasNan(block)) {
        block.isCareful = true;
        visited = addTiles(head, block);
    }
    finishRows(head, block, visited);
}

std::int64_t forwardScratch(std::int64_t headDim, std::int64_t valueDim)
{
    return kRows * (chunkCount(headDim) * kTileStride + kTileStride + roundUp(valueDim, kLanes));
}

void forward(const HeadForward& head, float* scratch)
{
    const HeadOperands& operands = head.operands;
    RowBlock block;
    block.queries = {scratch, 0, operands.headDim};
    block.tile = scratch + kRows * chunkCount(operands.headDim) * kTileStride;
    block.sums = block.tile + kRows * kTileStride;
    block.sumStride = roundUp(operands.valueDim, kLanes);
    const std::int64_t step = evenRows(head.queryEnd - head.queryBegin);
    for (block.first = head.queryBegin; block.first < head.queryEnd; block.first += step) {
        block.rows = smaller(step, head.queryEnd - block.first);
        forwardBlock(head, block);
    }
}

/// Transposes `rows` keys, possibly fewer than a vector, into lanes of the panel.
void packLanes(const float* rows, std::int64_t stride, std::int64_t count, std::int64_t dim,
               float* panel)
{
    FloatVector square[kLanes];
    forEachVector(dim, [&](std::int64_t first, std::int64_t channels) {
        for (std::int64_t row = 0; row < kLanes; ++row)
            square[row] =
                row < count ? loadUpTo(rows + row * stride + first, channels) : FloatVector{};
        transpose(square);
        for (std::int64_t channel = 0; channel < channels; ++channel)
            store(panel + (first + channel) * kPanelKeys, square[channel]);
    });
}

void packPanels(const float* rows, std::int64_t stride, std::int64_t count, std::int64_t dim,
                float* panels)
{
    for (std::int64_t first = 0; first < roundUp(count, kPanelKeys); first += kLanes) {
        const std::int64_t part = first % kPanelKeys;
        packLanes(rows + first * stride, stride, larger(0, smaller(kLanes, count - first)), dim,
                  panels + (first - part) * dim + part);
    }
}

void packRows(const float* rows, std::int64_t stride, std::int64_t count, std::int64_t dim,
              float* packed)
{
    const std::int64_t padded = roundUp(dim, kLanes);
    for (std::int64_t row = 0; row < count; ++row)
        forEachVector(dim, [&](std::int64_t at, std::int64_t lanes) {
            store(packed + row * padded + at, loadUpTo(rows + row * stride + at, lanes));
        });
}

void unpackRows(const float* sums, float factor, std::int64_t count, std::int64_t dim, float* rows,
                std::int64_t stride)
{
    for (std::int64_t row = 0; row < count; ++row)
        writeRow(rows + row * stride, sums + row * roundUp(dim, kLanes), factor, dim);
}

} // namespace

void fillForwardKernels(AttentionKernels& table)
{
    table.lanes = kLanes;
    table.panelKeys = kPanelKeys;
    table.packPanels = packPanels;
    table.packRows = packRows;
    table.unpackRows = unpackRows;
    table.forwardScratch = forwardScratch;
    table.forward = forward;
}

} // namespace headscope::HEADSCOPE_ISA
