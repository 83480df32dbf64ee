#pragma once

#include "core/text/normalizers/normalized_text.h"

namespace headscope {

/// BERT's normalisation of a text before it is split into pieces (Devlin et al. 2019;
/// BasicTokenizer of the published code).
struct BertNormalization
{
    /// Drops control characters and invalid UTF-8; any white space becomes a space.
    bool cleanControls = true;
    bool spaceCjk = true;     ///< Surrounds Chinese characters by spaces.
    bool stripAccents = true; ///< Decomposes (NFD) and drops the marks.
    bool lowerCase = true;    ///< Lower-cases each character by itself.

    friend bool operator==(const BertNormalization&, const BertNormalization&) = default;
};

NormalizedText normalizeForBert(std::string_view text, const BertNormalization& settings);

/// Splits at spaces; each punctuation character is a word of its own. `text` is valid UTF-8.
std::vector<ByteRange> splitBertWords(std::string_view text);

} // namespace headscope
