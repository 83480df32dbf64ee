#pragma once

#include "core/base/error.h"
#include "core/model/pass/tracer.h"
#include "core/text/chat/chat_input.h"

#include <optional>
#include <string_view>

namespace headscope {

/// True for an encoder that reads two texts as one sequence with segments (Devlin et al. 2019,
/// section 3.2), and whose tokenizer separates them.
bool readsPairs(const LoadedModel& model);

/// Two texts as a pair (encodePair). A byte-level vocabulary reads the first word of the second text
/// as after a space, as in running text. Throws Error for a tokenizer that separates no texts.
TokenSequence pairTokens(const Tokenizer& tokenizer, std::string_view text,
                         std::string_view second);

/// Tokens of `text`, or of the pair where the model reads pairs and the second is not empty.
TokenSequence inputTokens(const LoadedModel& model, std::string_view text, std::string_view second);

/// Why the model reads no chats; none for one that does.
std::optional<Error> whyNoChat(const LoadedModel& model);

/// Tokens of a chat through the model's template. Throws Error for a model without one, and for
/// what the template refuses.
TokenSequence chatTokens(const LoadedModel& model, const ChatInput& chat);

} // namespace headscope
