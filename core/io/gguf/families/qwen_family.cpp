#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"

namespace headscope {

namespace {

const PartNames kNames = ggufDecoderNames();

ModelConfig readQwen2(const GgufKeys& keys)
{
    return readGgufDecoder(keys, {.windows = GgufWindows::AllLayers});
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

const GgufFamily kGgufQwen2{
    .architecture = "qwen2", .modelType = "qwen2", .readConfig = readQwen2, .names = kNames};

const GgufFamily kGgufQwen3{
    .architecture = "qwen3", .modelType = "qwen3", .readConfig = readQwen3, .names = kNames};

const GgufFamily kGgufQwen3Moe{.architecture = "qwen3moe",
                               .modelType = "qwen3_moe",
                               .readConfig = readQwen3Moe,
                               .names = kNames};

} // namespace headscope
