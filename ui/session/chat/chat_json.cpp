#include "ui/session/chat/chat_json.h"

#include "ui/session/changes/json_object.h"

namespace headscope::ui {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMostTurns = 4096;

ChatTurn turnFrom(const Json& value, const std::string& where)
{
    const JsonObject object(value, where, {"role", "content"});
    object.need("role");
    return {object.text("role").toStdString(), object.text("content").toStdString()};
}

ChatInput inputFrom(const JsonObject& object)
{
    const Json& turns = object.need("turns");
    if (!turns.is_array() || turns.size() > kMostTurns)
        object.complain("turns", "a list of turns");
    ChatInput input;
    for (std::size_t i = 0; i < turns.size(); ++i)
        input.turns.push_back(
            turnFrom(turns[i], object.place("turns") + '[' + std::to_string(i) + ']'));
    input.addGenerationPrompt = object.flag("generation_prompt", true);
    return input;
}

} // namespace

OrderedJson toJson(const ChatInput& chat)
{
    OrderedJson turns = OrderedJson::array();
    for (const ChatTurn& turn : chat.turns)
        turns.push_back(OrderedJson{{"role", turn.role}, {"content", turn.content}});
    return {{"turns", std::move(turns)}, {"generation_prompt", chat.addGenerationPrompt}};
}

OrderedJson toJson(const Chat& chat)
{
    OrderedJson json = toJson(chat.input);
    json["on"] = chat.isOn;
    return json;
}

ChatInput chatInputFromJson(const Json& value, const std::string& where)
{
    return inputFrom(JsonObject(value, where, {"turns", "generation_prompt"}));
}

Chat chatFromJson(const Json& value, const std::string& where)
{
    const JsonObject object(value, where, {"turns", "generation_prompt", "on"});
    Chat chat;
    chat.input = inputFrom(object);
    chat.isOn = object.flag("on", false);
    return chat;
}

} // namespace headscope::ui
