#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

const PartNames kGlmNames = gatedDecoderNames({{"gate_up", "layers.{}.mlp.gate_up_proj"}});

/// Norms before and after each sublayer.
const PartNames kGlm4Names = gatedDecoderNames({{"gate_up", "layers.{}.mlp.gate_up_proj"},
                                                {"ln1_out", "layers.{}.post_self_attn_layernorm"},
                                                {"ln2_out", "layers.{}.post_mlp_layernorm"}});

/// Half of each head is rotated, in neighbouring pairs.
ModelConfig readGlm(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(
        json, {.keyHeads = 2, .headDim = 128, .epsilon = 1.5625e-7, .rotated = 0.5});
    config.rope.layout = RopeSettings::Layout::Interleaved;
    config.queryKeyValueBias = json.flag("attention_bias", true);
    return config;
}

ModelConfig readGlm4(const ConfigReader& json)
{
    ModelConfig config = readGlm(json);
    config.normPosition = NormPosition::Both;
    return config;
}

} // namespace

const HuggingFaceFamily kGlmFamily{
    .modelType = "glm", .readConfig = readGlm, .names = kGlmNames, .describe = describeJoinedGate};

const HuggingFaceFamily kGlm4Family{.modelType = "glm4",
                                    .readConfig = readGlm4,
                                    .names = kGlm4Names,
                                    .describe = describeJoinedGate};

} // namespace headscope
