#pragma once

#include "core/attention/attention_kernels.h"
#include "core/attention/attention_math.h"

// Operations on a row of scores before the softmax. Same rules as attention_vectors.h.

namespace headscope {
namespace {

/// Half-open range of keys.
struct KeySpan
{
    std::int64_t begin;
    std::int64_t end;
};

/// Position of the query of a row among the keys.
HEADSCOPE_INLINE std::int64_t positionOf(const HeadOperands& head, std::int64_t row)
{
    return (head.rowsAreHeads ? 0 : row) + head.keyTokens - head.queryTokens;
}

/// Keys that causality and the window leave to a row (see visibleKeys).
HEADSCOPE_INLINE KeySpan visibleSpan(const HeadOperands& head, std::int64_t row)
{
    const std::int64_t position = positionOf(head, row);
    KeySpan run{0, head.keyTokens};
    if (head.causal)
        run.end = smaller(run.end, position + 1);
    if (head.window > 0) {
        if (head.window <= position)
            run.begin = position - head.window + 1;
        if (head.window < run.end - position)
            run.end = position + head.window;
    }
    run.end = larger(run.end, 0);
    run.begin = smaller(run.begin, run.end);
    return run;
}

/// Keys visible to any of the queries [begin, end).
HEADSCOPE_INLINE KeySpan visibleSpan(const HeadOperands& head, std::int64_t begin, std::int64_t end)
{
    const KeySpan first = visibleSpan(head, begin);
    const KeySpan last = visibleSpan(head, end - 1);
    return {smaller(first.begin, last.begin), larger(first.end, last.end)};
}

/// True when scores need more than the scale before the mask.
HEADSCOPE_INLINE bool hasScoreTerms(const HeadOperands& head)
{
    return head.bias != nullptr || head.hasSlope || head.softCap > 0.0F;
}

/// Scores are computed in units of log2, unless other terms must be added in natural units first.
HEADSCOPE_INLINE float queryFactor(const HeadOperands& head)
{
    return hasScoreTerms(head) ? head.scale : head.scale * kLog2E;
}

/// Applies soft cap, bias and slope to scaled scores, in one row of a tile of `count` keys from
/// `first`. `slopes`, when given, receives d capped / d scaled.
inline void addScoreTerms(const HeadOperands& head, std::int64_t query, std::int64_t first,
                          std::int64_t count, float* scores, float* slopes)
{
    const float* bias =
        head.bias == nullptr ? nullptr : head.bias + query * head.biasStride + first;
    const auto distance = static_cast<float>(first - positionOf(head, query));
    const FloatVector numbers = __builtin_convertvector(laneNumbers(), FloatVector);
    forEachVector(count, [&](std::int64_t at, std::int64_t lanes) {
        FloatVector score = load(scores + at);
        if (head.softCap > 0.0F) {
            const FloatVector capped = tanhOf(score / head.softCap);
            if (slopes != nullptr)
                store(slopes + at, 1.0F - capped * capped);
            score = head.softCap * capped;
        }
        if (bias != nullptr)
            score += loadUpTo(bias + at, lanes);
        if (head.hasSlope)
            score += head.slope * (numbers + (distance + static_cast<float>(at)));
        store(scores + at, score);
    });
}

/// Multiplies values by factor.
inline void scaleRow(float* values, std::int64_t count, float factor)
{
    for (std::int64_t at = 0; at < count; at += kLanes)
        store(values + at, factor * load(values + at));
}

/// Masks one row of a tile of `count` keys from `first`: minus infinity wherever the query may not
/// attend, up to the end of the last vector.
inline void maskRow(const HeadOperands& head, std::int64_t query, std::int64_t first,
                    std::int64_t count, float* scores)
{
    const KeySpan visible = visibleSpan(head, query);
    const auto begin = static_cast<std::int32_t>(larger(-1, visible.begin - first));
    const auto end = static_cast<std::int32_t>(larger(0, smaller(count, visible.end - first)));
    for (std::int32_t at = 0; at < count; at += static_cast<std::int32_t>(kLanes)) {
        if (at >= begin && at + kLanes <= end)
            continue;
        const IntVector key = laneNumbers() + at;
        const IntVector inside = (key >= begin) & (key < end);
        store(scores + at, inside ? load(scores + at) : broadcast(kMinusInfinity));
    }
    if (head.allowed == nullptr)
        return;
    const std::uint8_t* allowed = head.allowed + query * head.allowedStride + first;
    for (std::int64_t key = 0; key < count; ++key)
        scores[key] = allowed[key] != 0 ? scores[key] : kMinusInfinity;
}

/// Applies dropout: weights *= keep / (1 - dropout).
inline void dropRow(const HeadOperands& head, std::int64_t query, std::int64_t first,
                    std::int64_t count, float* weights)
{
    const std::uint8_t* keep = head.keep + query * head.keyTokens + first;
    for (std::int64_t key = 0; key < count; ++key)
        weights[key] = keep[key] != 0 ? weights[key] * head.keepScale : 0.0F;
}

} // namespace
} // namespace headscope
