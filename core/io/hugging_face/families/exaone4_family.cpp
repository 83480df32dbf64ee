#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

/// Norms of what a sublayer adds, and none of its input.
const PartNames kExaone4Names =
    gatedDecoderNames({{"ln1", "layers.{}.post_attention_layernorm"},
                       {"ln2", "layers.{}.post_feedforward_layernorm"}});

/// With windows, global layers have no positions.
ModelConfig readExaone4(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 32, .epsilon = 1e-5});
    config.normPosition = NormPosition::Output;
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    if (!json.has("sliding_window"))
        return config;
    const std::vector<bool> local = localLayers(json, config, [&](std::int64_t layer) {
        const std::int64_t pattern = json.positiveInteger("sliding_window_pattern", 4);
        return (layer + 1) % pattern != 0;
    });
    setLocalRotation(config, local, json.integer("sliding_window"));
    return config;
}

} // namespace

const HuggingFaceFamily kExaone4Family{.modelType = "exaone4",
                                       .readConfig = readExaone4,
                                       .names = kExaone4Names,
                                       .typical =
                                           R"({"num_key_value_heads": 2, "sliding_window": 4096})"};

} // namespace headscope
