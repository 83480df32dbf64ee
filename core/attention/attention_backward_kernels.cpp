#include "core/attention/attention_chunks.h"
#include "core/attention/attention_kernels.h"
#include "core/attention/attention_math.h"
#include "core/attention/attention_products.h"
#include "core/attention/attention_scores.h"

// Attention backward from the log-sum-exp of each row: the pattern is recomputed tile by tile (Dao
// et al. 2022, algorithm 4). With P = exp(s - lse), D the dropout factor, g = d loss / d context:
//   dV += (P D)^T g;  dS = P (D (g v) - g context);  dQ += dS k;  dK += dS^T q.

namespace headscope::HEADSCOPE_ISA {

namespace {

constexpr std::int64_t kBlockRows = 4 * kRows;
constexpr std::int64_t kBlockKeys = 64;

struct RowBlock
{
    std::int64_t first;
    std::int64_t rows;
    RowChunks queries;
    RowChunks upstream; ///< Upstream gradient g.
    float* weights;     ///< Weights [rows, kTileStride]: P, later P D.
    float* matches;     ///< Matches [rows, kTileStride]: g v, later dS.
    float* slopes;      ///< Slopes of the soft cap [rows, kTileStride].
    float* sums;        ///< Sums [rows, sumStride]: dQ.
    std::int64_t sumStride;
    float shift[kBlockRows];  ///< Log-sum-exp in units of log2; infinite where no key is visible.
    float factor[kBlockRows]; ///< P = factor * 2^(score - shift).
    float mean[kBlockRows];   ///< Product of g and context.
};

/// Keys [first, end) in a tile that starts at a panel; [begin, end) is visible to any row.
struct KeyTile
{
    std::int64_t first;
    std::int64_t begin;
    std::int64_t end;

    std::int64_t keys() const { return end - first; }
};

float dot(const float* a, const float* b, std::int64_t count)
{
    FloatVector sum{};
    forEachVector(count, [&](std::int64_t at, std::int64_t lanes) {
        sum += loadUpTo(a + at, lanes) * loadUpTo(b + at, lanes);
    });
    return sumOf(sum);
}

void startBlock(const HeadBackward& head, RowBlock& block)
{
    const HeadOperands& operands = head.operands;
    block.queries.rows = block.rows;
    block.upstream.rows = block.rows;
    const float* upstream = head.contextGradient + block.first * head.contextGradientStride;
    copyRows(operands.queries + block.first * operands.queryStride, operands.queryStride,
             queryFactor(operands), block.queries);
    copyRows(upstream, head.contextGradientStride, 1.0F, block.upstream);
    for (std::int64_t row = 0; row < block.rows; ++row) {
        const float logSumExp = head.logSumExp[block.first + row];
        block.shift[row] = logSumExp == kMinusInfinity ? __builtin_inff() : logSumExp * kLog2E;
        block.factor[row] = 1.0F;
        block.mean[row] =
            dot(upstream + row * head.contextGradientStride,
                head.context + (block.first + row) * head.contextStride, operands.valueDim);
    }
    for (std::int64_t at = 0; at < block.rows * block.sumStride; at += kLanes)
        store(block.sums + at, FloatVector{});
}

/// Turns scores into masked scores in units of log2.
void finishScores(const HeadOperands& head, const RowBlock& block, const KeyTile& keys,
                  std::int64_t row)
{
    float* scores = block.weights + row * kTileStride;
    const std::int64_t query = block.first + row;
    if (hasScoreTerms(head)) {
        addScoreTerms(head, query, keys.first, keys.keys(), scores,
                      block.slopes + row * kTileStride);
        scaleRow(scores, keys.keys(), kLog2E);
    }
    maskRow(head, query, keys.first, keys.keys(), scores);
}

/// Turns masked scores into P.
void weightsOfRow(const RowBlock& block, const KeyTile& keys, std::int64_t row)
{
    float* weights = block.weights + row * kTileStride;
    const FloatVector shift = broadcast(block.shift[row]);
    const FloatVector factor = broadcast(block.factor[row]);
    for (std::int64_t at = 0; at < keys.keys(); at += kLanes)
        store(weights + at, factor * exp2Of(load(weights + at) - shift));
}

/// Turns matches from g v into dS, and weights from P into P D.
void gradientsOfRow(const HeadBackward& head, const RowBlock& block, const KeyTile& keys,
                    std::int64_t row)
{
    const HeadOperands& operands = head.operands;
    float* weights = block.weights + row * kTileStride;
    float* matches = block.matches + row * kTileStride;
    const std::int64_t query = block.first + row;
    const std::int64_t count = keys.keys();
    const FloatVector mean = broadcast(block.mean[row]);
    if (operands.keep != nullptr)
        dropRow(operands, query, keys.first, count, matches);
    for (std::int64_t at = 0; at < count; at += kLanes)
        store(matches + at, load(weights + at) * (load(matches + at) - mean));
    if (operands.keep != nullptr)
        dropRow(operands, query, keys.first, count, weights);
    if (head.biasGradient != nullptr) {
        float* bias = head.biasGradient + query * head.biasGradientStride + keys.first;
        forEachVector(count, [&](std::int64_t at, std::int64_t lanes) {
            storeUpTo(bias + at, loadUpTo(bias + at, lanes) + load(matches + at), lanes);
        });
    }
    if (operands.softCap > 0.0F) {
        const float* slopes = block.slopes + row * kTileStride;
        for (std::int64_t at = 0; at < count; at += kLanes)
            store(matches + at, load(matches + at) * load(slopes + at));
    }
}

/// Adds tile^T chunks to sums [keys, dim rounded up].
void addTransposed(const float* tile, const RowChunks& chunks, const KeyTile& keys, float* sums)
{
    const std::int64_t stride = roundUp(chunks.dim, kLanes);
    for (std::int64_t chunk = 0; chunk * kTile < chunks.dim; ++chunk) {
        const Product product{tile + (keys.begin - keys.first),
                              chunks.data + chunk * chunks.chunkFloats(),
                              kTileStride,
                              chunks.rows,
                              sums + keys.begin * stride + chunk * kTile,
                              stride,
                              true};
        multiply<Layout::Columns>(product, keys.end - keys.begin,
                                  smaller(kTile, chunks.dim - chunk * kTile));
    }
}

void addQueryGradients(const HeadBackward& head, const RowBlock& block, const KeyTile& keys)
{
    const Product product{block.matches + (keys.begin - keys.first),
                          head.paddedKeys + keys.begin * head.paddedKeyStride,
                          head.paddedKeyStride,
                          keys.end - keys.begin,
                          block.sums,
                          block.sumStride,
                          true};
    multiply<Layout::Rows>(product, block.rows, head.operands.headDim);
}

void backwardTile(const HeadBackward& head, const RowBlock& block, const KeyTile& keys)
{
    const HeadOperands& operands = head.operands;
    scoreTile(block.queries, operands.keyPanels, keys.first, keys.keys(), block.weights);
    scoreTile(block.upstream, head.valuePanels, keys.first, keys.keys(), block.matches);
    for (std::int64_t row = 0; row < block.rows; ++row) {
        finishScores(operands, block, keys, row);
        weightsOfRow(block, keys, row);
        gradientsOfRow(head, block, keys, row);
    }
    addQueryGradients(head, block, keys);
    addTransposed(block.matches, block.queries, keys, head.keySums);
    addTransposed(block.weights, block.upstream, keys, head.valueSums);
}

/// Calls visit(tile) for all keys visible to the block.
template<class Visit>
HEADSCOPE_INLINE void forEachTile(const HeadBackward& head, const RowBlock& block, Visit visit)
{
    const KeySpan visible = visibleSpan(head.operands, block.first, block.first + block.rows);
    const std::int64_t start = visible.begin / kPanelKeys * kPanelKeys;
    for (std::int64_t first = start; first < visible.end; first += kBlockKeys)
        visit(
            KeyTile{first, larger(first, visible.begin), smaller(first + kBlockKeys, visible.end)});
}

/// A log-sum-exp of hundreds is too coarse in float32 for P: each unit in its last place is a
/// relative error of P. Such rows recompute their largest score and their sum.
bool needsExactSums(const RowBlock& block)
{
    constexpr float kCoarse = 100.0F;
    for (std::int64_t row = 0; row < block.rows; ++row)
        if (block.shift[row] < -kCoarse ||
            (block.shift[row] > kCoarse && block.shift[row] < __builtin_inff()))
            return true;
    return false;
}

void addToSums(RowBlock& block, std::int64_t row, std::int64_t count, float* total)
{
    const float* scores = block.weights + row * kTileStride;
    FloatVector most = load(scores);
    for (std::int64_t at = kLanes; at < count; at += kLanes)
        most = maximum(most, load(scores + at));
    const float largest = maximumOf(most);
    if (largest > block.shift[row]) {
        *total *= exp2Of(broadcast(block.shift[row] - largest))[0];
        block.shift[row] = largest;
    }
    if (block.shift[row] == kMinusInfinity)
        return;
    FloatVector sum{};
    for (std::int64_t at = 0; at < count; at += kLanes)
        sum += exp2Of(load(scores + at) - block.shift[row]);
    *total += sumOf(sum);
}

void findExactSums(const HeadBackward& head, RowBlock& block)
{
    float totals[kBlockRows] = {};
    for (std::int64_t row = 0; row < block.rows; ++row)
        block.shift[row] = kMinusInfinity;
    forEachTile(head, block, [&](const KeyTile& keys) {
        scoreTile(block.queries, head.operands.keyPanels, keys.first, keys.keys(), block.weights);
        for (std::int64_t row = 0; row < block.rows; ++row) {
            finishScores(head.operands, block, keys, row);
            addToSums(block, row, keys.keys(), &totals[row]);
        }
    });
    for (std::int64_t row = 0; row < block.rows; ++row) {
        const bool empty = block.shift[row] == kMinusInfinity;
        block.shift[row] = empty ? __builtin_inff() : block.shift[row];
        block.factor[row] = empty ? 0.0F : 1.0F / totals[row];
    }
}

void writeQueryGradients(const HeadBackward& head, const RowBlock& block)
{
    for (std::int64_t row = 0; row < block.rows; ++row) {
        float* target = head.queryGradient + (block.first + row) * head.queryGradientStride;
        const float* sums = block.sums + row * block.sumStride;
        forEachVector(head.operands.headDim, [&](std::int64_t at, std::int64_t lanes) {
            storeUpTo(target + at, head.operands.scale * load(sums + at), lanes);
        });
    }
}

float keySumsFactor(const HeadOperands& operands)
{
    return hasScoreTerms(operands) ? 1.0F : kLn2;
}

std::int64_t backwardScratch(std::int64_t headDim, std::int64_t valueDim)
{
    return kBlockRows * ((chunkCount(headDim) + chunkCount(valueDim) + 3) * kTileStride +
                         roundUp(headDim, kLanes));
}

RowBlock blockIn(float* scratch, const HeadOperands& operands)
{
    RowBlock block;
    const auto take = [&](std::int64_t rowFloats) {
        float* part = scratch;
        scratch += kBlockRows * rowFloats;
        return part;
    };
    block.queries = {take(chunkCount(operands.headDim) * kTileStride), 0, operands.headDim};
    block.upstream = {take(chunkCount(operands.valueDim) * kTileStride), 0, operands.valueDim};
    block.weights = take(kTileStride);
    block.matches = take(kTileStride);
    block.slopes = take(kTileStride);
    block.sumStride = roundUp(operands.headDim, kLanes);
    block.sums = take(block.sumStride);
    return block;
}

void backward(const HeadBackward& head, float* scratch)
{
    RowBlock block = blockIn(scratch, head.operands);
    for (block.first = head.queryBegin; block.first < head.queryEnd; block.first += kBlockRows) {
        block.rows = smaller(kBlockRows, head.queryEnd - block.first);
        startBlock(head, block);
        if (needsExactSums(block))
            findExactSums(head, block);
        forEachTile(head, block, [&](const KeyTile& keys) { backwardTile(head, block, keys); });
        writeQueryGradients(head, block);
    }
}

} // namespace

void fillBackwardKernels(AttentionKernels& table)
{
    table.keySumsFactor = keySumsFactor;
    table.backwardScratch = backwardScratch;
    table.backward = backward;
}

} // namespace headscope::HEADSCOPE_ISA
