#pragma once

#include "core/text/normalizers/text_normalizer.h"
#include "core/text/splitting/word_splitter.h"

#include <string_view>

namespace headscope {

/// Rule named in tokenizer.ggml.pre: how a byte-level BPE splits texts into words.
struct SplitRule
{
    TextNormalizer normalizer; ///< May be null.
    WordSplitter splitter;
    bool ignoreMerges = false; ///< Looks up whole words as tokens before merging.
    bool addBos = false;       ///< Default when the file does not specify it.
};

/// Throws FormatError, naming `where`, for an unsupported name.
SplitRule splitRule(std::string_view name, bool addPrefixSpace, const std::string& where);

} // namespace headscope
