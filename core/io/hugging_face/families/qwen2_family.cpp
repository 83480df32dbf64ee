#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

const PartNames kQwen2Names = gatedDecoderNames();

ModelConfig readQwen2(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 32});
    config.queryKeyValueBias = true;
    readQwenWindows(json, config);
    return config;
}

} // namespace

const HuggingFaceFamily kQwen2Family{.modelType = "qwen2",
                                     .prefix = "model.",
                                     .readConfig = readQwen2,
                                     .names = kQwen2Names,
                                     .typical = R"({"num_key_value_heads": 2})"};

} // namespace headscope
