#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"

namespace headscope {

namespace {

ModelConfig readQwen2(const GgufKeys& keys)
{
    return readGgufDecoder(keys, {.windows = GgufWindows::AllLayers});
}

ModelConfig readQwen2Moe(const GgufKeys& keys)
{
    ModelConfig config = readGgufDecoder(
        keys, {.windows = GgufWindows::AllLayers, .experts = true, .sharedExperts = true});
    if (config.experts.sharedWidth < 1)
        keys.refuse("expert_shared_feed_forward_length", "A positive number was expected");
    config.experts.normalised = false;
    config.experts.sharedGate = true;
    return config;
}

void describeQwen2Moe(const WeightContext& context, StoredWeight& weight)
{
    weight.isVector = context.name.part == "shared.scale";
}

ModelConfig readQwen3(const GgufKeys& keys)
{
    ModelConfig config = readQwen2(keys);
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    return config;
}

ModelConfig readQwen3Moe(const GgufKeys& keys)
{
    ModelConfig config =
        readGgufDecoder(keys, {.windows = GgufWindows::AllLayers, .experts = true});
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    return config;
}

} // namespace

const GgufFamily kGgufQwen2{.architecture = "qwen2",
                            .modelType = "qwen2",
                            .readConfig = readQwen2,
                            .names = kGgufDecoderNames};

const GgufFamily kGgufQwen2Moe{.architecture = "qwen2moe",
                               .modelType = "qwen2_moe",
                               .readConfig = readQwen2Moe,
                               .names = kGgufDecoderNames,
                               .describe = describeQwen2Moe};

const GgufFamily kGgufQwen3{.architecture = "qwen3",
                            .modelType = "qwen3",
                            .readConfig = readQwen3,
                            .names = kGgufDecoderNames};

const GgufFamily kGgufQwen3Moe{.architecture = "qwen3moe",
                               .modelType = "qwen3_moe",
                               .readConfig = readQwen3Moe,
                               .names = kGgufDecoderNames};

} // namespace headscope
