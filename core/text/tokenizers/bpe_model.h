#pragma once

#include "core/text/tokenizers/word_model.h"

#include <optional>
#include <utility>

namespace headscope {

/// Byte pair encoding by merges in their order.
struct BpeRules
{
    std::vector<std::pair<TokenId, TokenId>> merges; ///< most frequent first
    bool byteLevel = false;         ///< symbols are bytes in GPT-2's alphabet, not characters
    bool byteFallback = false;      ///< characters without a token become <0x..>
    bool fuseUnknown = false;       ///< neighbours without a token become one unknown token
    bool ignoreMerges = false;      ///< a word that is itself a token becomes it at once
    std::optional<TokenId> unknown; ///< missing: what has no token is left out
};

/// Throws Error for merges into tokens that do not exist.
WordModelPtr bpeModel(const TokenTable& table, const BpeRules& rules);

} // namespace headscope
