#include "core/model/config/model_config.h"

#include "core/base/json_text.h"
#include "core/io/hugging_face/hugging_face.h"
#include "core/io/hugging_face/hugging_face_config.h"
#include "core/model/config/model_config_json.h"
#include "core/model/config/size_report.h"
#include "core/model/weights/parameters.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace headscope::fuzz {

namespace {

constexpr const char* kName = "config.json";
constexpr std::int64_t kMostLayers = 64; ///< a list of parameters that is made quickly

void use(const ModelConfig& config)
{
    const ModelConfig again = modelConfigFromJson(toJson(config), kName);
    require(again == config, "a configuration that reads back as another");
    if (config.vocabularySize == 0)
        return;
    accepts({}, [&] { sizeReport(config); });
    accepts({}, [&] { trainingBytes(config, 2); });
    if (config.layers <= kMostLayers && config.decoderLayerCount() <= kMostLayers)
        parameterLayout(config);
}

} // namespace

bool readModelConfig(std::string_view file)
{
    const bool isOurs =
        accepts(kName, [&] { use(modelConfigFromJson(parseJson(file, kName), kName)); });
    const bool isTheirs =
        accepts(kName, [&] { use(huggingFaceConfig(parseJson(file, kName), {}, kName)); });
    return isOurs || isTheirs;
}

} // namespace headscope::fuzz
