#pragma once

#include "core/text/splitting/word_splitter.h"

namespace headscope {

/// Splits into GPT-2's words, each byte a symbol (see splitWords), with a prefix space before words
/// that begin without one.
WordSplitter byteLevelSplitter(bool addPrefixSpace, bool splitsWords);

enum class PrefixScheme {
    First, ///< Only at the beginning of the original text.
    Never,
    Always
};

/// Splits like SentencePiece: `mark` for every space and before the text; words begin with it.
WordSplitter metaspaceSplitter(std::string mark, PrefixScheme scheme, bool splits);

} // namespace headscope
