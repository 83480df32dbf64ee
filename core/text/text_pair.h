#pragma once

#include "core/text/tokenizers/tokenizer.h"

namespace headscope {

/// Two texts as BERT reads them: [CLS] first [SEP] second [SEP] (Devlin et al. 2019, section 3.2).
/// The text is both with a line break between, so that every token's bytes are its own. Throws
/// Error for a tokenizer that adds no tokens around a text, because nothing would separate the two.
TokenSequence encodePair(const Tokenizer& tokenizer, std::string_view first,
                         std::string_view second);

/// Segment of each token for BERT: the first [SEP], the special token that ends the text, ends
/// segment 0; what follows is segment 1. Empty for one text.
std::vector<std::int32_t> segmentsOf(const TokenSequence& sequence);

} // namespace headscope
