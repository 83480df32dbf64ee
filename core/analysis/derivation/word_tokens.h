#pragma once

#include "core/model/pass/tracer.h"

namespace headscope {

/// Ids that random texts are sampled from: those that begin a word and consist of letters and
/// digits (" cat" of byte-level vocabularies and SentencePiece, "cat" of WordPiece). Single bytes,
/// fragments of code and reserved tokens occur in few training texts, or in none, and a head's
/// response to noise says little. All but special tokens where a vocabulary has hardly any words.
std::vector<TokenId> wordTokens(const LoadedModel& model);

} // namespace headscope
