#include "core/io/chat_template_file.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/gguf/gguf_file.h"
#include "core/io/open_model.h"

#include <array>

namespace headscope {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kLargestFile = std::uint64_t{8} << 20;
constexpr std::array kTokenNames = {"bos_token", "eos_token", "unk_token",
                                    "pad_token", "sep_token", "cls_token"};

[[noreturn]] void refuseWithout(const fs::path& model)
{
    throw Error("this model has no chat template", model.string(),
                "Open the instruct version of the model, or give a text");
}

/// Special tokens by name: a text, or an object whose content is one.
std::map<std::string, std::string> tokensOf(const nlohmann::json& config)
{
    std::map<std::string, std::string> tokens;
    for (const char* name : kTokenNames) {
        const auto token = config.find(name);
        if (token == config.end())
            continue;
        if (token->is_string())
            tokens[name] = token->get<std::string>();
        else if (token->is_object() && token->contains("content") &&
                 (*token)["content"].is_string())
            tokens[name] = (*token)["content"].get<std::string>();
    }
    return tokens;
}

/// One template, or the one to use of several {"name", "template"}.
std::string templateOf(const nlohmann::json& config, bool usesTools)
{
    const auto found = config.find("chat_template");
    if (found == config.end())
        return {};
    if (found->is_string())
        return found->get<std::string>();
    std::map<std::string, std::string> named;
    if (found->is_array())
        for (const auto& one : *found)
            if (one.is_object() && one.contains("name") && one.contains("template") &&
                one["name"].is_string() && one["template"].is_string())
                named[one["name"].get<std::string>()] = one["template"].get<std::string>();
    if (usesTools && named.contains("tool_use"))
        return named["tool_use"];
    return named["default"];
}

ChatTemplate fromFolder(const fs::path& folder, bool usesTools)
{
    const fs::path configPath = folder / "tokenizer_config.json";
    const std::string text = readFileOrNothing(configPath, kLargestFile);
    const nlohmann::json config =
        text.empty() ? nlohmann::json::object() : parseJson(text, configPath.string());
    const fs::path own = folder / "chat_template.jinja";
    const std::string source = readFileOrNothing(own, kLargestFile);
    if (!source.empty())
        return {source, own.string(), tokensOf(config)};
    const std::string inConfig = config.is_object() ? templateOf(config, usesTools) : std::string();
    if (inConfig.empty())
        refuseWithout(folder);
    return {inConfig, configPath.string() + ", chat_template", tokensOf(config)};
}

} // namespace

ChatTemplate readChatTemplate(const GgufFile& file, const fs::path& path)
{
    const GgufMetadata& metadata = file.metadata();
    const std::string source = metadata.text("tokenizer.chat_template", "");
    if (source.empty())
        refuseWithout(path);
    const std::vector<std::string> names = metadata.texts("tokenizer.ggml.tokens");
    std::map<std::string, std::string> tokens;
    for (const auto& [name, key] : {std::pair{"bos_token", "bos"},
                                    {"eos_token", "eos"},
                                    {"unk_token", "unknown"},
                                    {"pad_token", "padding"}}) {
        const std::int64_t id =
            metadata.integer(std::string("tokenizer.ggml.") + key + "_token_id", -1);
        if (id >= 0 && id < static_cast<std::int64_t>(names.size()))
            tokens[name] = names[static_cast<std::size_t>(id)];
    }
    return {source, path.string() + ", tokenizer.chat_template", std::move(tokens)};
}

ChatTemplate readChatTemplate(const fs::path& model, bool usesTools)
{
    if (isGgufFile(model))
        return readChatTemplate(GgufFile::open(model), model);
    std::error_code ignored;
    if (!fs::is_directory(model, ignored))
        refuseWithout(model);
    return fromFolder(model, usesTools);
}

ChatFile readChat(const fs::path& path)
{
    const std::string text = readFile(path, kLargestFile);
    parseJson(text, path.string()); // refuses invalid JSON, with its place
    Json json = Json::parse(text);  // with the members in the order of the file
    ChatFile chat;
    if (!json.is_object()) {
        chat.messages = std::move(json);
        return chat;
    }
    for (const auto& [name, value] : json.items()) {
        if (name == "messages")
            chat.messages = value;
        else if (name == "tools")
            chat.options.tools = value;
        else if (name == "add_generation_prompt" && value.is_boolean())
            chat.options.addGenerationPrompt = value.get<bool>();
        else
            chat.options.variables[name] = value;
    }
    return chat;
}

} // namespace headscope
