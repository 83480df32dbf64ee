#pragma once

#include "core/attention/attention_backend.h"

namespace headscope {

/// Extents of one attention layer, taken from its operands.
struct AttentionGeometry
{
    std::int64_t batch = 0;
    std::int64_t queryHeads = 0;
    std::int64_t keyHeads = 0;
    std::int64_t queryTokens = 0;
    std::int64_t keyTokens = 0;
    std::int64_t headDim = 0;
    std::int64_t valueDim = 0;

    explicit AttentionGeometry(const AttentionInputs& inputs);

    std::int64_t headsPerKey() const { return queryHeads / keyHeads; }

    std::int64_t keyHeadOf(std::int64_t queryHead) const
    {
        return queryHead * keyHeads / queryHeads;
    }

    /// Position of query 0 among the keys; negative when there are more queries than keys.
    std::int64_t queryOffset() const { return keyTokens - queryTokens; }
};

/// Half-open range of keys.
struct KeyRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Keys that causality and the window leave to a query: one range, possibly empty.
KeyRange visibleKeys(const AttentionMask& mask, const AttentionGeometry& geometry,
                     std::int64_t query);

/// Bytes of `allowed` for one query, or null without such a mask.
inline const std::uint8_t* allowedRow(const AttentionMask& mask, std::int64_t batch,
                                      std::int64_t query)
{
    if (mask.allowed == nullptr)
        return nullptr;
    return mask.allowed + batch * mask.allowedBatchStride + query * mask.allowedQueryStride;
}

/// Floating-point operations of the unmasked products, two per multiply-add: two products forward,
/// five more backward.
double attentionFlops(const AttentionInputs& inputs, bool withBackward);

} // namespace headscope
