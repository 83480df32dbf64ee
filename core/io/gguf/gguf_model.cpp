#include "core/io/gguf/gguf_model.h"

#include "core/base/error.h"
#include "core/io/gguf/gguf_config.h"

#include <fmt/format.h>
#include <map>

namespace headscope {

namespace {

/// Maps our part names to those of the file. "{}" stands for the layer's number.
const std::map<std::string, std::string, std::less<>> kParts{
    {"tok_emb", "token_embd"},        {"pos_emb", "position_embd"}, {"ln1", "blk.{}.attn_norm"},
    {"attn.q", "blk.{}.attn_q"},      {"attn.k", "blk.{}.attn_k"},  {"attn.v", "blk.{}.attn_v"},
    {"attn.o", "blk.{}.attn_output"}, {"ln2", "blk.{}.ffn_norm"},   {"gate", "blk.{}.ffn_gate"},
    {"up", "blk.{}.ffn_up"},          {"down", "blk.{}.ffn_down"},  {"fc1", "blk.{}.ffn_up"},
    {"fc2", "blk.{}.ffn_down"},       {"ln_f", "output_norm"},      {"head", "output"}};

/// Splits "h.3.attn.q.weight" into "3", "attn.q" and ".weight".
struct Name
{
    std::string layer; ///< Empty outside the blocks.
    std::string part;
    std::string kind;
};

Name split(const std::string& parameter)
{
    const std::size_t last = parameter.rfind('.');
    Name name{{}, parameter.substr(0, last), parameter.substr(last)};
    if (!name.part.starts_with("h."))
        return name;
    const std::size_t second = name.part.find('.', 2);
    name.layer = name.part.substr(2, second - 2);
    name.part = name.part.substr(second + 1);
    return name;
}

StoredWeight weightOf(const std::string& architecture, const std::string& parameter)
{
    const Name name = split(parameter);
    std::string theirs = kParts.at(name.part);
    StoredWeight weight;
    weight.parameter = parameter;
    const std::size_t qkv = name.part.starts_with("attn.")
                                ? std::string("qkv").find(name.part.back())
                                : std::string::npos;
    if (architecture == "gpt2" && qkv != std::string::npos) {
        theirs = "blk.{}.attn_qkv";
        weight.part = static_cast<int>(qkv);
        weight.parts = 3;
    }
    if (const std::size_t place = theirs.find("{}"); place != std::string::npos)
        theirs.replace(place, 2, name.layer);
    weight.names = {theirs + name.kind};
    // One flag covers the biases of all linear layers but q, k and v; a llama may have some.
    weight.optional = architecture != "gpt2" && name.kind == ".bias" && qkv == std::string::npos;
    return weight;
}

} // namespace

std::vector<StoredWeight> ggufWeights(const std::string& architecture, const ModelConfig& config)
{
    std::vector<StoredWeight> weights;
    for (const ParameterSpec& spec : parameterLayout(config))
        weights.push_back(weightOf(architecture, spec.name));
    return weights;
}

StoredModel findGgufModel(const GgufFile& file)
{
    StoredModel model;
    model.path = file.path();
    model.format = fmt::format("GGUF version {}", file.version());
    model.config = ggufConfig(file);
    model.family = file.metadata().text("general.architecture");
    for (const GgufTensor& tensor : file.tensors()) {
        ModelTensor& entry = model.tensors.emplace_back();
        entry.name = tensor.name;
        entry.type = tensor.type->name;
        entry.shape = tensor.shape;
        entry.bytes = tensor.bytes;
        entry.format = blockFormatOfGgml(tensor.type->number);
        entry.file = file.map();
    }
    findParameters(model, ggufWeights(model.family, model.config),
                   [](std::string_view name) { return name == "rope_freqs.weight"; });
    return model;
}

StoredVocabulary ggufVocabulary(const GgufFile& file)
{
    const GgufMetadata& metadata = file.metadata();
    const auto key = [](const char* name) { return std::string("tokenizer.ggml.") + name; };
    const auto id = [&](const char* name) -> std::optional<std::int64_t> {
        if (!metadata.has(key(name)))
            return std::nullopt;
        return metadata.integer(key(name));
    };
    const auto flag = [&](const char* name) -> std::optional<bool> {
        if (!metadata.has(key(name)))
            return std::nullopt;
        return metadata.flag(key(name));
    };
    StoredVocabulary vocabulary;
    vocabulary.model = metadata.text(key("model"));
    vocabulary.pre = metadata.text(key("pre"), "");
    vocabulary.tokens = metadata.texts(key("tokens"));
    for (const std::int64_t type : metadata.integers(key("token_type")))
        vocabulary.types.push_back(static_cast<std::int32_t>(type));
    vocabulary.scores = metadata.numbers(key("scores"));
    vocabulary.merges = metadata.texts(key("merges"));
    vocabulary.bos = id("bos_token_id");
    vocabulary.eos = id("eos_token_id");
    vocabulary.unknown = id("unknown_token_id");
    vocabulary.padding = id("padding_token_id");
    vocabulary.separator = id("seperator_token_id"); // spelt like this in the files
    vocabulary.classification = id("cls_token_id");
    vocabulary.mask = id("mask_token_id");
    vocabulary.addBos = flag("add_bos_token");
    vocabulary.addEos = flag("add_eos_token");
    vocabulary.addSpacePrefix = flag("add_space_prefix");
    vocabulary.removeExtraSpaces = flag("remove_extra_whitespaces");
    for (const std::int64_t byte : metadata.integers(key("precompiled_charsmap")))
        vocabulary.charsMap.push_back(static_cast<char>(byte));
    return vocabulary;
}

} // namespace headscope
