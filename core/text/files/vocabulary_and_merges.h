#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"

#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// Reads GPT-2's pair of files. Tokens that are neither a byte nor the result of a merge and look
/// like <...> or [...] are treated as special, since these files do not say.
std::shared_ptr<const BpeTokenizer> parseVocabularyAndMerges(std::string_view vocabularyJson,
                                                             std::string_view merges,
                                                             const std::string& where);

} // namespace headscope
