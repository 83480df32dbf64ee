#pragma once

#include "core/text/splitting/word_splitter.h"

namespace headscope {

/// GPT-2's words, each byte a symbol (see splitWords); a prefix space before words that begin
/// without one.
SplitterPtr byteLevelSplitter(bool addPrefixSpace, bool splitsWords);

enum class PrefixScheme {
    First, ///< only where the original text begins
    Never,
    Always
};

/// SentencePiece's way: `mark` for every space and in front of the text, words begin with it.
SplitterPtr metaspaceSplitter(std::string mark, PrefixScheme scheme, bool splits);

} // namespace headscope
