#include "core/io/gguf/families/families.h"

#include "core/io/gguf/gguf_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

constexpr std::int64_t kWindow = 128;
constexpr std::int64_t kPeriod = 2; ///< Every second layer sees all earlier tokens.

const PartNames kNames =
    ggufDecoderNames({{"ln2", "blk.{}.post_attention_norm"}, {"attn.sinks", "blk.{}.attn_sinks"}});

/// No key says that YaRN's ramp is not rounded to whole pairs, as config.json does.
ModelConfig readGptOss(const GgufKeys& keys)
{
    ModelConfig config =
        readGgufDecoder(keys, {.windows = GgufWindows::SomeLayers, .experts = true});
    if (config.experts.count == 0)
        keys.refuse("expert_count", "At least one expert was expected");
    config.activation = Activation::ClampedSwiGlu;
    config.bias = true;
    config.queryKeyValueBias = true;
    config.attentionSinks = true;
    config.experts.routerBias = true;
    config.rope.truncates = false;
    setWindows(config, ggufLocalLayers(keys, config, kPeriod),
               keys.integer("attention.sliding_window", kWindow));
    return config;
}

/// Every bias must exist.
void describeGptOss(const WeightContext& context, StoredWeight& weight)
{
    weight.optional = false;
    if (context.name.part == "attn.sinks")
        weight.names = {withNumbers("blk.{}.attn_sinks.weight", context.name)};
}

} // namespace

const GgufFamily kGgufGptOss{.architecture = "gpt-oss",
                             .modelType = "gpt_oss",
                             .readConfig = readGptOss,
                             .names = kNames,
                             .describe = describeGptOss};

} // namespace headscope
