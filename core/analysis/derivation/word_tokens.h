#pragma once

#include "core/model/pass/tracer.h"

namespace headscope {

/// Ids that random texts are drawn from: those that begin a word and are letters and digits
/// throughout (" cat" of byte-level vocabularies and SentencePiece, "cat" of WordPiece). Single
/// bytes, pieces of code and tokens kept for later stand in few training texts, or in none, and what
/// heads do with noise says little. All but special ones where a vocabulary has hardly any words.
std::vector<TokenId> wordTokens(const LoadedModel& model);

} // namespace headscope
