#pragma once

#include "core/text/tokenizers/word_model.h"

#include <string>

namespace headscope {

/// The longest pieces first (WordPiece).
struct LongestPieceRules
{
    std::string firstMark;         ///< what tokens that begin a word begin with: "▁" in GGUF
    std::string laterMark;         ///< what those that go on begin with: "##"
    std::size_t longestWord = 100; ///< characters; longer ones are unknown
    TokenId unknown = 0;
};

WordModelPtr longestPieceModel(const TokenTable& table, const LongestPieceRules& rules);

} // namespace headscope
