#include "core/text/chat/chat_input.h"

#include "core/text/chat/chat_template.h"

#include <algorithm>

namespace headscope {

namespace {

int turnAt(const std::vector<TurnRange>& turns, ByteRange bytes)
{
    const auto range = std::ranges::upper_bound(turns, bytes.begin, {},
                                                [](const TurnRange& r) { return r.bytes.end; });
    return range != turns.end() && range->bytes.begin < bytes.end ? range->turn : kTemplateTurn;
}

} // namespace

bool isChat(const TokenSequence& tokens)
{
    return !tokens.tokens.empty() && tokens.tokens.front().turn != kNoTurn;
}

TokenSequence encodeTurns(const Tokenizer& tokenizer, const TurnText& text)
{
    TokenSequence tokens = tokenizer.encode(text.bytes(), false);
    for (Token& token : tokens.tokens)
        token.turn = turnAt(text.turns(), token.bytes);
    return tokens;
}

TokenSequence encodeChat(const Tokenizer& tokenizer, const ChatTemplate& chatTemplate,
                         const ChatInput& chat)
{
    auto messages = nlohmann::ordered_json::array();
    for (const ChatTurn& turn : chat.turns)
        messages.push_back(nlohmann::ordered_json{{"role", turn.role}, {"content", turn.content}});
    ChatOptions options;
    options.addGenerationPrompt = chat.addGenerationPrompt;
    return encodeTurns(tokenizer, chatTemplate.renderTurns(messages, options));
}

} // namespace headscope
