#pragma once

#include "core/trace/attention_kind.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// Identifies one attention head of a model.
struct HeadId
{
    AttentionKind attention = AttentionKind::Self;
    int layer = 0;
    int head = 0;

    constexpr HeadId() = default;

    constexpr HeadId(AttentionKind kind, int layerIndex, int headIndex)
        : attention(kind)
        , layer(layerIndex)
        , head(headIndex)
    {
    }

    /// Identifies a head of a model with one stack.
    constexpr HeadId(int layerIndex, int headIndex)
        : HeadId(AttentionKind::Self, layerIndex, headIndex)
    {
    }

    friend auto operator<=>(const HeadId&, const HeadId&) = default;
};

std::string toString(HeadId head); ///< Text such as "L1H3" or "encoder L1H3".
std::optional<HeadId> parseHeadId(std::string_view text); ///< Inverse of toString.

} // namespace headscope
