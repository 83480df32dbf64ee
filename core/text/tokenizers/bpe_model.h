#pragma once

#include "core/text/tokenizers/word_model.h"

#include <optional>
#include <utility>

namespace headscope {

/// Byte pair encoding by merges in their order.
struct BpeRules
{
    std::vector<std::pair<TokenId, TokenId>> merges; ///< Most frequent first.
    bool byteLevel = false;         ///< Symbols are bytes in GPT-2's alphabet, not characters.
    bool byteFallback = false;      ///< Characters without a token become <0x..>.
    bool fuseUnknown = false;       ///< Neighbours without a token become one unknown token.
    bool ignoreMerges = false;      ///< Looks up whole words as tokens before merging.
    std::optional<TokenId> unknown; ///< Empty: characters without a token are dropped.
};

/// Throws Error for merges into tokens that do not exist.
WordModelPtr bpeModel(const TokenTable& table, const BpeRules& rules);

} // namespace headscope
