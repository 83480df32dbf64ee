#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

constexpr double kGateSlope = 1.702; ///< Of the gate that ops/clamped_gate.h computes.
constexpr double kGateLimit = 7.0;
constexpr const char* kScalesEnd = "_scales"; ///< Of matrices in MXFP4, which are not transposed.

const PartNames kGptOssNames = gatedDecoderNames({{"router", "layers.{}.mlp.router"}});

ModelConfig readGptOss(const ConfigReader& json)
{
    ModelConfig config =
        readGatedDecoder(json, {.keyHeads = 8, .headDim = 64, .theta = 150000.0, .epsilon = 1e-5});
    if (config.activation != Activation::SwiGlu)
        json.refuse("hidden_act", "Only \"silu\" is supported");
    if (json.number("swiglu_alpha", kGateSlope) != kGateSlope)
        json.refuse("swiglu_alpha", fmt::format("Only {} is supported", kGateSlope));
    if (json.number("swiglu_limit", kGateLimit) != kGateLimit)
        json.refuse("swiglu_limit", fmt::format("Only {} is supported", kGateLimit));
    json.requireFlag("attention_bias", true);
    config.activation = Activation::ClampedSwiGlu;
    config.bias = true;
    config.attentionSinks = true;
    config.experts.count =
        json.integer(json.has("num_experts") ? "num_experts" : "num_local_experts", 128);
    config.experts.topK = json.integer(
        json.has("experts_per_token") ? "experts_per_token" : "num_experts_per_tok", 4);
    config.experts.routerBias = true;
    setWindows(config, localLayers(json, config, [](std::int64_t layer) { return layer % 2 == 0; }),
               json.integer("sliding_window", 128));
    return config;
}

/// Experts are stored transposed, gate and up column by column in turn.
void describeGptOss(const WeightContext& context, StoredWeight& weight)
{
    const ParameterName& name = context.name;
    if (name.part == "attn.sinks")
        weight.names = {withNumbers("layers.{}.self_attn.sinks", name)};
    if (name.expert.empty())
        return;
    const bool down = name.part == "expert.down";
    const bool bias = name.kind == "bias";
    weight.names = {withNumbers("layers.{}.mlp.experts.", name) +
                    (down ? "down_proj" : "gate_up_proj") + (bias ? "_bias" : "")};
    weight.slices = context.config.experts.count;
    weight.slice = std::stoll(name.expert);
    weight.transposed = !bias && !context.tensors.contains(weight.names.front() + kScalesEnd);
    if (down)
        return;
    const std::int64_t width = context.spec.shape[0];
    const std::int64_t first = name.part == "expert.gate" ? 0 : 1;
    for (std::int64_t row = 0; row < width; ++row)
        weight.order.push_back(2 * row + first);
    weight.storedRows = 2 * width;
}

} // namespace

const HuggingFaceFamily kGptOssFamily{
    .modelType = "gpt_oss",
    .readConfig = readGptOss,
    .names = kGptOssNames,
    .describe = describeGptOss,
    .typical =
        R"({"rope_scaling": {"rope_type": "yarn", "factor": 32.0, "truncate": false,
    "original_max_position_embeddings": 4096}})"};

} // namespace headscope
