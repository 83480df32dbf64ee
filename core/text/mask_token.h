#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <optional>

namespace headscope {

/// Token that hides a word from an encoder: "[MASK]" (BERT) or "<mask>" (RoBERTa), if there is one.
std::optional<TokenId> maskToken(const Tokenizer& tokenizer);

} // namespace headscope
