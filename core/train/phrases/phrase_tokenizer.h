#pragma once

#include "core/train/phrases/phrase_book.h"

#include "core/text/tokenizers/bpe_tokenizer.h"

#include <memory>

namespace headscope {

/// Tokenizer of a phrase book: <pad>, <bos> and <eos>, the bytes, one token per English word (with
/// and without a space before it) and one per Chinese character, made of its bytes by merges.
/// Encoded texts end with <eos>.
std::shared_ptr<const BpeTokenizer> phraseTokenizer(const PhraseBook& book = phraseBook());

} // namespace headscope
