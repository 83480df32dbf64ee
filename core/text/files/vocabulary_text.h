#pragma once

#include "core/text/normalizers/bert_normalizer.h"
#include "core/text/tokenizers/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// Reads BERT's vocab.txt: one token per line (see bertVocabulary).
std::shared_ptr<const Tokenizer> parseVocabularyText(std::string_view text,
                                                     const BertNormalization& normalization,
                                                     const std::string& where);

} // namespace headscope
