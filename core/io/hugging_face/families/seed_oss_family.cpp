#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

/// Llama with biases of queries, keys and values.
ModelConfig readSeedOss(const ConfigReader& json)
{
    json.requireFlag("attention_out_bias", false);
    json.requireFlag("mlp_bias", false);
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 8, .headDim = 128});
    config.queryKeyValueBias = json.flag("attention_bias", true);
    config.dropout = json.number("residual_dropout", 0.1);
    return config;
}

} // namespace

const HuggingFaceFamily kSeedOssFamily{
    .modelType = "seed_oss", .readConfig = readSeedOss, .names = kGatedDecoderNames};

} // namespace headscope
