#pragma once

#include "core/text/normalizers/text_normalizer.h"
#include "core/text/splitting/word_splitter.h"

#include <string_view>

namespace headscope {

/// What a name in tokenizer.ggml.pre stands for: how a byte-level BPE cuts texts into words.
struct SplitRule
{
    NormalizerPtr normalizer; ///< may be null
    SplitterPtr splitter;
    bool ignoreMerges = false; ///< a word that is itself a token becomes it at once
    bool addBos = false;       ///< unless the file says otherwise
};

/// Throws FormatError, which names `where`, for a name that is not known.
SplitRule splitRule(std::string_view name, bool addPrefixSpace, const std::string& where);

} // namespace headscope
