#pragma once

#include "core/model/pass/tracer.h"

namespace headscope {

/// The one token that a person means by `text`: what the tokenizer makes of it, its entry as the
/// vocabulary stores it, or what it makes of a space and the text. Throws Error naming the pieces
/// where it is several, and what to do.
TokenId namedToken(const LoadedModel& model, const std::string& text);

/// Where a model says something about a text that it has read: a decoder after its last token, an
/// encoder at the first token to fill in ("[MASK]", "<mask>"), else at the last that is not
/// special.
std::int64_t tellingPosition(const LoadedModel& model, const TokenSequence& tokens);

/// The most probable token of a trace's logits there; nothing without usable logits.
std::optional<TokenId> mostProbable(const Trace& trace, std::int64_t position);

/// displayText of a token; "#12" without a tokenizer.
std::string shownToken(const LoadedModel& model, TokenId id);

} // namespace headscope
