#pragma once

#include "core/trace/attention_kind.h"

#include <optional>
#include <string>
#include <string_view>

#include <compare> // last: moc of Qt 6.4 fails where <concepts> comes first

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
