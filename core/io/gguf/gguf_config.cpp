#include "core/io/gguf/gguf_config.h"

#include "core/io/gguf/gguf_family.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Rows of the embedding matrix; the lists of the vocabulary must have as many.
std::int64_t vocabularySize(const GgufFile& file, const std::string& architecture)
{
    const GgufTensor* const embedding = file.find("token_embd.weight");
    if (embedding == nullptr || embedding->shape.size() != 2)
        throw FormatError("a matrix \"token_embd.weight\" was expected", file.path(), std::nullopt,
                          "The weights are incomplete");
    const std::int64_t rows = embedding->shape[0];
    const std::string key = architecture + ".vocab_size";
    const GgufMetadata& metadata = file.metadata();
    if (metadata.integer(key, rows) != rows)
        throw metadata.refusal(key, fmt::format("\"token_embd.weight\" has {} rows", rows));
    const GgufValue* const tokens = metadata.find("tokenizer.ggml.tokens");
    if (tokens == nullptr)
        return rows;
    const auto* const list = std::get_if<GgufArray>(&tokens->data);
    if (list == nullptr || list->count != static_cast<std::uint64_t>(rows))
        throw metadata.refusal("tokenizer.ggml.tokens",
                               fmt::format("\"token_embd.weight\" has {} rows", rows));
    return rows;
}

std::string supportedArchitectures()
{
    std::string names;
    for (const GgufFamily* family : ggufFamilies())
        names += (names.empty() ? "" : ", ") + std::string(family->architecture);
    return names;
}

} // namespace

ModelConfig ggufConfig(const GgufFile& file)
{
    const std::string architecture = file.metadata().text("general.architecture");
    const GgufFamily* const family = findGgufFamily(architecture);
    if (family == nullptr)
        throw file.metadata().refusal("general.architecture",
                                      fmt::format("Supported: {}", supportedArchitectures()));
    return namingFile(file.path(), [&] {
        ModelConfig config = family->readConfig(GgufKeys(file, architecture));
        config.dropout = 0.0;
        config.vocabularySize = vocabularySize(file, architecture);
        config.tieEmbeddings = file.find("output.weight") == nullptr;
        config.validate();
        return config;
    });
}

} // namespace headscope
