#include "core/io/hugging_face/hugging_face_config.h"

#include "core/base/error.h"
#include "core/io/hugging_face/hugging_face_family.h"
#include "core/io/hugging_face/quantised_weights.h"

namespace headscope {

namespace {

const HuggingFaceFamily& familyOf(const ConfigReader& json)
{
    std::map<std::string, const HuggingFaceFamily*> known;
    for (const HuggingFaceFamily* family : huggingFaceFamilies())
        known.emplace(family->modelType, family);
    return *json.choice("model_type", "", known);
}

} // namespace

ModelConfig huggingFaceConfig(const nlohmann::json& config, const std::set<std::string>& tensors,
                              const std::string& where)
{
    const HuggingFaceFamily& family = familyOf(ConfigReader(config, tensors, where));
    const ConfigReader json(config, tensors, where, std::string(family.modelType));
    readQuantisation(json); // refuses what widenQuantised does not read
    ModelConfig result = family.readConfig(json);
    result.vocabularySize = json.integer("vocab_size");
    namingFile(where, [&] { result.validate(); });
    return result;
}

} // namespace headscope
