#include "core/model/pass/input_tokens.h"

#include "core/text/text_pair.h"

namespace headscope {

namespace {

/// True for a tokenizer that adds tokens before and after a text, which separate two texts.
bool surroundsTexts(const Tokenizer& tokenizer)
{
    const TokenSequence none = tokenizer.encode("");
    return none.size() >= 2 && none.tokens.front().special && none.tokens.back().special;
}

/// Removes one byte that the text does not contain from it and from the ranges after it.
void removeByte(TokenSequence& tokens, std::size_t place)
{
    tokens.text.erase(place, 1);
    for (Token& token : tokens.tokens)
        for (std::size_t* end : {&token.bytes.begin, &token.bytes.end})
            *end -= *end > place ? 1 : 0;
}

} // namespace

bool readsPairs(const LoadedModel& model)
{
    return model.model && model.tokenizer &&
           model.model->config().architecture == Architecture::Encoder &&
           model.model->config().tokenTypes > 1 && surroundsTexts(*model.tokenizer);
}

TokenSequence pairTokens(const Tokenizer& tokenizer, std::string_view text, std::string_view second)
{
    if (tokenizer.kind() != "bpe" || second.empty() || second.starts_with(' '))
        return encodePair(tokenizer, text, second);
    const std::string spaced = " " + std::string(second);
    TokenSequence pair = encodePair(tokenizer, text, spaced);
    removeByte(pair, pair.text.size() - spaced.size());
    return pair;
}

TokenSequence inputTokens(const LoadedModel& model, std::string_view text, std::string_view second)
{
    return !second.empty() && readsPairs(model) ? pairTokens(*model.tokenizer, text, second)
                                                : model.tokenizer->encode(text);
}

std::optional<Error> whyNoChat(const LoadedModel& model)
{
    if (model.model && model.model->config().architecture != Architecture::Decoder)
        return Error("chats are for decoders, which this model is not", model.name);
    if (model.chatTemplate && model.tokenizer)
        return std::nullopt;
    return model.chatError ? *model.chatError
                           : Error("this model has no chat template", model.name);
}

TokenSequence chatTokens(const LoadedModel& model, const ChatInput& chat)
{
    if (const std::optional<Error> problem = whyNoChat(model))
        throw Error(*problem);
    return encodeChat(*model.tokenizer, *model.chatTemplate, chat);
}

} // namespace headscope
