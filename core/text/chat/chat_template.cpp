#include "core/text/chat/chat_template.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/chat/template_parser.h"
#include "core/text/chat/template_scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

using Arguments = TemplateArguments;
using Value = TemplateValue;

Value refuseChat(const Arguments& arguments)
{
    throw Error("the model's template refuses this chat: " +
                inQuotes(arguments.required(0, "message").text()));
}

Value makeNamespace(const Arguments& arguments)
{
    TemplateMembers members;
    for (const auto& [name, value] : arguments.named)
        members.set(name, value);
    members.isNamespace = true;
    return members;
}

Value makeMapping(const Arguments& arguments)
{
    TemplateMembers members;
    for (const auto& [name, value] : arguments.named)
        members.set(name, value);
    return members;
}

Value makeRange(const Arguments& arguments)
{
    const bool hasEnd = arguments.positional.size() > 1;
    const std::int64_t begin = hasEnd ? arguments.positional[0].integer() : 0;
    const std::int64_t end = arguments.required(hasEnd ? 1 : 0, "stop").integer();
    const std::int64_t step = arguments.optional(2, "step", std::int64_t{1}).integer();
    if (step == 0)
        throw Error("a range with the step 0");
    std::vector<Value> numbers;
    for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
        numbers.emplace_back(i);
        checkTemplateItems(numbers.size());
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    return Value::list(std::move(numbers));
}

/// strftime_now(format) of transformers.
TemplateFunction clock(std::optional<std::time_t> now)
{
    return [now](const Arguments& arguments) -> Value {
        const std::time_t time = now.value_or(std::time(nullptr));
        std::tm parts{};
        localtime_r(&time, &parts);
        const std::string& format = arguments.required(0, "format").string();
        char text[512];
        return std::string(text, std::strftime(text, sizeof text, format.c_str(), &parts));
    };
}

void requireMessages(const nlohmann::ordered_json& messages)
{
    const bool isChat =
        messages.is_array() && std::ranges::all_of(messages, [](const auto& turn) {
            return turn.is_object() && turn.contains("role") && turn["role"].is_string();
        });
    if (!isChat)
        throw Error("a chat is a list of turns, each with a role", "chat",
                    R"(Write [{"role": "user", "content": "..."}])");
}

/// The messages, whose texts but the roles are marked with their index.
Value messageValues(const nlohmann::ordered_json& messages)
{
    std::vector<Value> values;
    for (const auto& message : messages) {
        TemplateMembers members;
        const auto turn = static_cast<int>(values.size());
        for (const auto& [name, value] : message.items())
            members.set(name, Value::fromJson(value, name == "role" ? kTemplateTurn : turn));
        values.emplace_back(std::move(members));
    }
    return Value::list(std::move(values));
}

void addNames(TemplateScope& scope, const nlohmann::ordered_json& messages,
              const ChatOptions& options, const std::map<std::string, std::string>& tokens)
{
    scope.set("messages", messageValues(messages));
    scope.set("tools", Value::fromJson(options.tools));
    scope.set("documents", {});
    scope.set("add_generation_prompt", options.addGenerationPrompt);
    for (const auto& [name, token] : tokens)
        scope.set(name, token);
    for (const auto& [name, value] : options.variables)
        scope.set(name, Value::fromJson(value));
    scope.set("raise_exception", TemplateFunction(refuseChat));
    scope.set("namespace", TemplateFunction(makeNamespace));
    scope.set("dict", TemplateFunction(makeMapping));
    scope.set("range", TemplateFunction(makeRange));
    scope.set("strftime_now", clock(options.now));
}

} // namespace

ChatTemplate::ChatTemplate(std::string_view source, std::string name,
                           std::map<std::string, std::string> tokens)
    : m_name(std::move(name))
    , m_tokens(std::move(tokens))
    , m_body(std::make_shared<const TemplateBody>(parseTemplate(source, m_name)))
{
}

std::string ChatTemplate::render(const nlohmann::ordered_json& messages,
                                 const ChatOptions& options) const
{
    return renderTurns(messages, options).bytes();
}

TurnText ChatTemplate::renderTurns(const nlohmann::ordered_json& messages,
                                   const ChatOptions& options) const
{
    requireMessages(messages);
    TemplateRendering rendering;
    TemplateScope scope(rendering, nullptr);
    addNames(scope, messages, options, m_tokens);
    try {
        m_body->run(scope);
    } catch (const Error& error) {
        throw Error(error.problem(), fmt::format("{}, line {}", m_name, rendering.line),
                    error.advice());
    }
    return rendering.output();
}

} // namespace headscope
