#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"

namespace headscope {

namespace {

/// Blocks without a norm before their feed-forward network are parallel.
ModelConfig readStableLm(const GgufKeys& keys)
{
    ModelConfig config = readGgufDecoder(keys, {.norm = Norm::Layer});
    if (keys.file().find("blk.0.attn_q_norm.weight") != nullptr)
        config.queryKeyNorm = QueryKeyNorm::OwnPerHead;
    if (keys.file().find("blk.0.ffn_norm.weight") == nullptr) {
        config.residual = Residual::Parallel;
        config.sharedNorm = true;
    }
    return config;
}

} // namespace

const GgufFamily kGgufStableLm{.architecture = "stablelm",
                               .modelType = "stablelm",
                               .readConfig = readStableLm,
                               .names = kGgufDecoderNames};

} // namespace headscope
