#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

ModelConfig readStableLm(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 32, .rotated = 0.25});
    config.norm = Norm::Layer;
    config.normEpsilon = json.number("layer_norm_eps", 1e-5);
    config.queryKeyValueBias = json.flag("use_qkv_bias", false);
    if (json.flag("qk_layernorm", false))
        config.queryKeyNorm = QueryKeyNorm::OwnPerHead;
    if (json.flag("use_parallel_residual", false)) {
        config.residual = Residual::Parallel;
        config.sharedNorm = true;
    }
    config.dropout = json.number("hidden_dropout", 0.0);
    return config;
}

/// The norms of queries and keys are stored head by head, and have no biases.
void describeStableLm(const WeightContext& context, StoredWeight& weight)
{
    const std::string& part = context.name.part;
    if (part != "attn.q_norm" && part != "attn.k_norm")
        return;
    if (context.name.kind == "bias")
        return useZeros(weight);
    weight.names.clear();
    const std::string norms = withNumbers("layers.{}.self_attn.", context.name) +
                              (part == "attn.q_norm" ? "q" : "k") + "_layernorm.norms.";
    for (std::int64_t head = 0; head < context.spec.shape[0]; ++head)
        weight.joined.push_back(fmt::format("{}{}.weight", norms, head));
}

} // namespace

const HuggingFaceFamily kStableLmFamily{.modelType = "stablelm",
                                        .readConfig = readStableLm,
                                        .names = kGatedDecoderNames,
                                        .describe = describeStableLm,
                                        .typical =
                                            R"({"use_qkv_bias": true, "qk_layernorm": true})"};

} // namespace headscope
