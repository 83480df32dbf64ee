#include "core/io/hugging_face/hugging_face_names.h"

#include "core/base/error.h"
#include "core/io/hugging_face/hugging_face_family.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

const HuggingFaceFamily& knownFamily(const std::string& modelType)
{
    const HuggingFaceFamily* const family = findHuggingFaceFamily(modelType);
    if (family == nullptr)
        throw Error(fmt::format("the model_type \"{}\"", modelType), "storedWeights");
    return *family;
}

std::vector<std::string> namesOf(const HuggingFaceFamily& family, const ParameterName& name)
{
    if (findPart(family.names, name) == family.names.end()) // described by the family itself
        return {};
    const std::string part = storedPart(family.names, name);
    std::vector<std::string> names{part + "." + name.kind};
    if (part.ends_with("LayerNorm")) // TensorFlow's checkpoints
        names.push_back(part + (name.kind == "weight" ? ".gamma" : ".beta"));
    return names;
}

} // namespace

std::vector<StoredWeight> storedWeights(const std::string& modelType, const ModelConfig& config,
                                        const std::set<std::string>& tensors)
{
    const HuggingFaceFamily& family = knownFamily(modelType);
    std::vector<StoredWeight> weights;
    for (const ParameterSpec& spec : parameterLayout(config)) {
        const ParameterName name = ParameterName::of(spec.name);
        StoredWeight weight;
        weight.parameter = spec.name;
        weight.names = namesOf(family, name);
        if (family.describe != nullptr)
            family.describe({config, spec, name, tensors}, weight);
        weights.push_back(std::move(weight));
    }
    return weights;
}

std::string_view basePrefix(const std::string& modelType)
{
    return knownFamily(modelType).prefix;
}

bool isRedundant(const std::string& modelType, const ModelConfig& config, std::string_view name)
{
    static const std::vector<std::string_view> kBuffers{".attn.bias",
                                                        ".attn.masked_bias",
                                                        ".attention.bias",
                                                        ".attention.masked_bias",
                                                        ".rotary_emb.inv_freq",
                                                        "rotary_emb.inv_freq",
                                                        "embeddings.position_ids"};
    const auto endsWith = [&](std::string_view end) { return name.ends_with(end); };
    if (std::any_of(kBuffers.begin(), kBuffers.end(), endsWith))
        return true;
    const HuggingFaceFamily& family = knownFamily(modelType);
    if (config.tieEmbeddings && name == family.names.at("head") + ".weight")
        return true;
    return family.isRedundant != nullptr && family.isRedundant(config, name);
}

} // namespace headscope
