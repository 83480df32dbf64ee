#pragma once

#include "core/model/pass/tracer.h"

namespace headscope {

/// The one token meant by `text`: the tokenizer's result, its entry as stored in the vocabulary, or
/// the tokenizer's result for a space and the text. If there are several, throws an Error that
/// names them and says what to do.
TokenId namedToken(const LoadedModel& model, const std::string& text);

/// Position of a model's prediction about a text: for a decoder after its last token, for an
/// encoder at the first mask token ("[MASK]", "<mask>"), else at the last that is not special.
std::int64_t tellingPosition(const LoadedModel& model, const TokenSequence& tokens);

/// The most probable token of a trace's logits at a position; empty without usable logits.
std::optional<TokenId> mostProbable(const Trace& trace, std::int64_t position);

/// The displayText of a token; "#12" without a tokenizer.
std::string shownToken(const LoadedModel& model, TokenId id);

} // namespace headscope
