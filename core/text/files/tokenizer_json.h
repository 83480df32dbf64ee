#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// Reads Hugging Face's tokenizer.json; `where` names the file in errors. Returns a BpeTokenizer
/// where it is byte-level BPE as in GPT-2.
std::shared_ptr<const Tokenizer> parseTokenizerJson(std::string_view json,
                                                    const std::string& where);

} // namespace headscope
