#pragma once

#include "core/text/normalizers/normalized_text.h"

namespace headscope {

/// What BERT does to a text before it looks for pieces (Devlin et al. 2019; BasicTokenizer of the
/// published code).
struct BertNormalization
{
    bool cleanControls = true; ///< drops control characters and bytes that are no UTF-8; any white
                               ///< space becomes a space
    bool spaceCjk = true;      ///< Chinese characters stand alone
    bool stripAccents = true;  ///< decomposes (NFD) and drops the marks
    bool lowerCase = true;     ///< each character by itself

    friend bool operator==(const BertNormalization&, const BertNormalization&) = default;
};

NormalizedText normalizeForBert(std::string_view text, const BertNormalization& settings);

/// What stands between spaces; each character of punctuation is a word of its own. `text` is valid
/// UTF-8.
std::vector<ByteRange> splitBertWords(std::string_view text);

} // namespace headscope
