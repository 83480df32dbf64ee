#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"

#include <string>

namespace headscope {

/// Writes the file as Hugging Face tokenizers does for the same tokenizer.
std::string toTokenizerJson(const BpeTokenizer& tokenizer);

} // namespace headscope
