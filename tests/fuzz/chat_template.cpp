#include "core/text/chat/chat_template.h"

#include "core/base/json_text.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace headscope::fuzz {

namespace {

constexpr const char* kName = "template.jinja";

/// A chat of two turns, with a tool.
const nlohmann::ordered_json& chat()
{
    static const auto json = nlohmann::ordered_json::parse(
        R"([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi é"}])");
    return json;
}

} // namespace

bool renderTemplate(std::string_view source)
{
    return accepts(kName, [&] {
        const ChatTemplate model(source, kName, {{"bos_token", "<s>"}});
        ChatOptions options;
        options.now = 0;
        model.render(chat(), options);
        options.tools = nlohmann::ordered_json::parse(
            R"([{"type": "function", "function": {"name": "f", "parameters":
            {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}}}])");
        model.render(chat(), options);
    });
}

} // namespace headscope::fuzz
