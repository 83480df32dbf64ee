#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"

#include <string>

namespace headscope {

/// What Hugging Face tokenizers writes for the same tokenizer, and reads.
std::string toTokenizerJson(const BpeTokenizer& tokenizer);

} // namespace headscope
