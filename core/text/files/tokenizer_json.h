#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// Hugging Face's tokenizer.json; `where` stands for the file in errors. A BpeTokenizer where it is
/// byte-level BPE as of GPT-2.
std::shared_ptr<const Tokenizer> parseTokenizerJson(std::string_view json,
                                                    const std::string& where);

} // namespace headscope
