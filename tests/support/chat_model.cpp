#include "tests/support/chat_model.h"

#include "core/base/file.h"
#include "core/text/chat/chat_template.h"
#include "core/text/files/tokenizer_json.h"
#include "tests/support/tiny_model.h"

#include <nlohmann/json.hpp>

namespace headscope::test {

namespace {

std::shared_ptr<const Tokenizer> chatTokenizer()
{
    auto json = nlohmann::json::parse(tinyTokenizerJson());
    std::size_t id = tinyModel().tokenizer->vocabularySize();
    for (const char* content : {"<|im_start|>", "<|im_end|>"})
        json["added_tokens"].push_back({{"id", id++},
                                        {"content", content},
                                        {"single_word", false},
                                        {"lstrip", false},
                                        {"rstrip", false},
                                        {"normalized", false},
                                        {"special", true}});
    return parseTokenizerJson(json.dump(), "tokenizer.json");
}

} // namespace

std::string chatTemplateSource(const std::string& name)
{
    return readFile(HEADSCOPE_SOURCE_DIR "/tests/data/chat/" + name + ".jinja", 1U << 20);
}

LoadedModel chatModel(const std::string& templateSource)
{
    LoadedModel loaded = tinyModel();
    loaded.tokenizer = chatTokenizer();
    ModelConfig config = loaded.model->config();
    config.vocabularySize = static_cast<std::int64_t>(loaded.tokenizer->vocabularySize());
    config.maxLen = 512;
    loaded.model = std::make_shared<const Model>(Model::initialised(config, 1));
    loaded.chatTemplate = std::make_shared<const ChatTemplate>(templateSource, "chat_template");
    return loaded;
}

} // namespace headscope::test
