#pragma once

#include "core/text/tokenizers/word_model.h"

#include <string>

namespace headscope {

/// Rules of greedy longest-match tokenization (WordPiece).
struct LongestPieceRules
{
    std::string firstMark;         ///< Prefix of tokens that begin a word: "▁" in GGUF.
    std::string laterMark;         ///< Prefix of tokens that continue a word: "##".
    std::size_t longestWord = 100; ///< Limit in characters; longer words are unknown.
    TokenId unknown = 0;
};

WordModelPtr longestPieceModel(const TokenTable& table, const LongestPieceRules& rules);

} // namespace headscope
