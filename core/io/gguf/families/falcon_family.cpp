#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"
#include "core/io/hugging_face/fused_weights.h"

namespace headscope {

namespace {

const PartNames kNames = ggufDecoderNames(
    {{"attn.qkv", "blk.{}.attn_qkv"}, {"fc1", "blk.{}.ffn_up"}, {"fc2", "blk.{}.ffn_down"}});

/// Two norms before a block (Falcon-40B), or one.
ModelConfig readFalcon(const GgufKeys& keys)
{
    ModelConfig config = readGgufDecoder(keys, {.norm = Norm::Layer});
    config.activation = Activation::GeluExact;
    config.residual = Residual::Parallel;
    config.sharedNorm = keys.file().find("blk.0.attn_norm_2.weight") == nullptr;
    return config;
}

/// With two norms the second is that of attention.
void describeFalcon(const WeightContext& context, StoredWeight& weight)
{
    describeJoinedHeads(context, weight);
    const ParameterName& name = context.name;
    if (name.part.starts_with("ln"))
        weight.optional = false;
    if (context.config.sharedNorm)
        return;
    if (name.part == "ln1")
        weight.names = {withNumbers("blk.{}.attn_norm_2.", name) + name.kind};
    if (name.part == "ln2")
        weight.names = {withNumbers("blk.{}.attn_norm.", name) + name.kind};
}

} // namespace

const GgufFamily kGgufFalcon{.architecture = "falcon",
                             .modelType = "falcon",
                             .readConfig = readFalcon,
                             .names = kNames,
                             .describe = describeFalcon};

} // namespace headscope
