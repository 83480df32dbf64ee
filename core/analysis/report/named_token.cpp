#include "core/analysis/report/named_token.h"

#include "core/analysis/lens/next_token.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"
#include "core/text/mask_token.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

/// The only token of the text, if it is one that represents it.
std::optional<TokenId> onlyToken(const Tokenizer& tokenizer, const std::string& text)
{
    const TokenSequence tokens = tokenizer.encode(text, false);
    if (tokens.size() != 1)
        return {};
    const TokenId id = tokens.tokens.front().id;
    // an unknown word becomes one token too, which represents any
    return tokenizer.isSpecial(id) && tokenizer.tokenText(id) != text ? std::nullopt
                                                                      : std::optional(id);
}

std::string piecesOf(const LoadedModel& model, const std::string& text)
{
    constexpr std::size_t kMost = 6;
    std::string words;
    const TokenSequence tokens = model.tokenizer->encode(text, false);
    for (std::size_t index = 0; index < std::min(tokens.size(), kMost); ++index)
        words += (index > 0 ? ", " : "") + inQuotes(shownToken(model, tokens.tokens[index].id));
    return words + (tokens.size() > kMost ? ", ..." : "");
}

} // namespace

TokenId namedToken(const LoadedModel& model, const std::string& text)
{
    if (!model.tokenizer)
        throw Error("there is no vocabulary to look this up in", inQuotes(text));
    const Tokenizer& tokenizer = *model.tokenizer;
    if (const auto id = onlyToken(tokenizer, text))
        return *id;
    if (const auto id = tokenizer.find(text))
        return *id;
    if (const auto id = onlyToken(tokenizer, " " + text))
        return *id;
    const std::string pieces = piecesOf(model, text);
    throw Error(inQuotes(text) + " is not a single token of this model", model.name,
                pieces.empty() ? "Give a token that headscope tokenize prints"
                               : "It is split into " + pieces + ": give one of these");
}

std::int64_t tellingPosition(const LoadedModel& model, const TokenSequence& tokens)
{
    const auto last = static_cast<std::int64_t>(tokens.size()) - 1;
    if (!model.model || !model.tokenizer ||
        model.model->config().architecture != Architecture::Encoder)
        return last;
    const std::optional<TokenId> mask = maskToken(*model.tokenizer);
    const auto masked = std::ranges::find_if(
        tokens.tokens, [&](const Token& token) { return mask && token.id == *mask; });
    if (masked != tokens.tokens.end())
        return masked - tokens.tokens.begin();
    for (std::int64_t index = last; index >= 0; --index)
        if (!tokens.tokens[static_cast<std::size_t>(index)].special)
            return index;
    return last;
}

std::optional<TokenId> mostProbable(const Trace& trace, std::int64_t position)
{
    const std::vector<Candidate> best = nextTokens(trace, position, 1, nullptr);
    return best.empty() ? std::nullopt : std::optional(best.front().id);
}

std::string shownToken(const LoadedModel& model, TokenId id)
{
    if (!model.tokenizer || id < 0 ||
        static_cast<std::size_t>(id) >= model.tokenizer->vocabularySize())
        return fmt::format("#{}", id);
    const std::string bytes = model.tokenizer->tokenBytes(id);
    return displayText(bytes);
}

} // namespace headscope
