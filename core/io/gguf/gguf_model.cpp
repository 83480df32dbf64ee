#include "core/io/gguf/gguf_model.h"

#include "core/base/error.h"
#include "core/io/adapters/gguf_adapter.h"
#include "core/io/gguf/gguf_config.h"
#include "core/io/gguf/gguf_family.h"

#include <fmt/format.h>

#include <set>

namespace headscope {

namespace {

StoredWeight weightOf(const GgufFamily& family, const ModelConfig& config,
                      const ParameterSpec& spec, const std::set<std::string>& tensors)
{
    const ParameterName name = ParameterName::of(spec.name);
    StoredWeight weight;
    weight.parameter = spec.name;
    weight.names = {storedPart(family.names, name) + "." + name.kind};
    // One flag covers the biases of all linear layers but q, k and v; a file may have some.
    weight.optional = name.kind == "bias" && name.queryKeyValue() < 0;
    if (!name.expert.empty()) {
        weight.slice = std::stoll(name.expert);
        weight.slices = config.experts.count;
    }
    if (family.describe != nullptr)
        family.describe({config, spec, name, tensors}, weight);
    return weight;
}

} // namespace

std::vector<StoredWeight> ggufWeights(const std::string& architecture, const ModelConfig& config,
                                      const std::set<std::string>& tensors)
{
    const GgufFamily* const family = findGgufFamily(architecture);
    if (family == nullptr)
        throw Error(fmt::format("no known name for \"{}\"", architecture), "ggufWeights");
    std::vector<StoredWeight> weights;
    for (const ParameterSpec& spec : parameterLayout(config))
        weights.push_back(weightOf(*family, config, spec, tensors));
    return weights;
}

StoredModel findGgufModel(const GgufFile& file)
{
    if (isGgufAdapter(file))
        throw FormatError("this is an adapter, not a model", file.path(), std::nullopt,
                          kAdapterAdvice);
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
    std::set<std::string> names;
    for (const ModelTensor& tensor : model.tensors)
        names.insert(tensor.name);
    findParameters(model, ggufWeights(model.family, model.config, names),
                   [](std::string_view name) { // read with the configuration
                       return name == "rope_freqs.weight" || name.starts_with("rope_factors_");
                   });
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
