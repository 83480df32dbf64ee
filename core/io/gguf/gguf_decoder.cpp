#include "core/io/gguf/gguf_decoder.h"

#include "core/io/hugging_face/layer_kinds.h"
#include "core/tensor/block_format.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

namespace headscope {

namespace {

using Scaling = RopeSettings::Scaling;

/// Original context length of all models that came with rope_freqs (Llama 3.1 and later).
constexpr std::int64_t kLlama3OriginalMaxLen = 8192;
constexpr double kSameFactor = 1e-3;

const std::map<std::string, Scaling> kScalings{
    {"none", Scaling::None}, {"linear", Scaling::Linear}, {"yarn", Scaling::Yarn}};

void readScaling(const GgufKeys& keys, RopeSettings& rope)
{
    if (keys.has("rope.scale_linear")) { // older files
        rope.factor = keys.number("rope.scale_linear");
        rope.scaling = rope.factor == 1.0 ? Scaling::None : Scaling::Linear;
    }
    if (!keys.has("rope.scaling.type"))
        return;
    const auto found = kScalings.find(keys.file().metadata().text(keys("rope.scaling.type")));
    if (found == kScalings.end())
        keys.refuse("rope.scaling.type", "Supported: none, linear, yarn");
    rope.scaling = found->second;
    if (rope.scaling == Scaling::None)
        return;
    keys.requireNone("rope.scaling.yarn_log_multiplier", "a multiplier of yarn's logarithm");
    if (keys.number("rope.scaling.yarn_ext_factor", 1.0) != 1.0)
        keys.refuse("rope.scaling.yarn_ext_factor", "Only 1 is supported");
    rope.factor = keys.number("rope.scaling.factor");
    rope.originalMaxLen = keys.integer("rope.scaling.original_context_length", 0);
    rope.betaFast = keys.number("rope.scaling.yarn_beta_fast", rope.betaFast);
    rope.betaSlow = keys.number("rope.scaling.yarn_beta_slow", rope.betaSlow);
    if (keys.has("rope.scaling.attn_factor"))
        rope.attentionFactor =
            keys.number("rope.scaling.attn_factor") * (0.1 * std::log(rope.factor) + 1.0);
}

/// Llama 3.1's scaling is stored as the divisor of every frequency.
void readFrequencyFactors(const GgufFile& file, ModelConfig& config)
{
    const GgufTensor* const tensor = file.find("rope_freqs.weight");
    if (tensor == nullptr)
        return;
    const auto refuse = [&](const std::string& problem) {
        throw FormatError("the tensor \"rope_freqs.weight\" " + problem, file.path(),
                          tensor->infoOffset, "Supported: the scaling of Llama 3.1, 3.2 and 3.3");
    };
    const std::int64_t pairs = config.ropeDimensions() / 2;
    if (tensor->type->name != "F32" || tensor->shape != std::vector<std::int64_t>{pairs})
        refuse(fmt::format("is {} of {} numbers, but {} of F32 were expected", tensor->type->name,
                           tensor->elementCount(), pairs));
    std::vector<float> factors(static_cast<std::size_t>(pairs));
    unpack(BlockFormat::F32, tensor->bytes, factors);
    double largest = 1.0;
    for (const float factor : factors)
        largest = std::max(largest, static_cast<double>(factor));
    RopeSettings scaled = config.rope;
    scaled.scaling = Scaling::Llama3;
    scaled.factor = largest;
    scaled.originalMaxLen = kLlama3OriginalMaxLen;
    const auto plain = ropeInverseFrequencies(config.rope, 2 * pairs, 1);
    const auto expected = ropeInverseFrequencies(scaled, 2 * pairs, 1);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const double factor = plain[i] / expected[i];
        if (!(std::abs(static_cast<double>(factors[i]) - factor) <= kSameFactor * factor))
            refuse(fmt::format("divides frequency {} by {}", i, factors[i]));
    }
    if (largest > 1.0)
        config.rope = scaled;
}

void readRope(const GgufKeys& keys, RopeSettings::Layout layout, ModelConfig& config)
{
    config.positions = Positions::Rope;
    config.rope.layout = layout;
    config.rope.theta = keys.number("rope.freq_base", 10000.0);
    readScaling(keys, config.rope);
    if (!keys.has("rope.dimension_count"))
        return;
    const std::int64_t turning = keys.integer("rope.dimension_count");
    if (turning < 2 || turning % 2 != 0 || turning > config.headDim())
        keys.refuse("rope.dimension_count",
                    fmt::format("An even number up to {} was expected", config.headDim()));
    if (turning != config.headDim())
        config.rope.dimensions = turning;
}

void readExperts(const GgufKeys& keys, bool shared, ModelConfig& config)
{
    config.experts.count = keys.integer("expert_count", 0);
    if (config.experts.count == 0)
        return;
    config.experts.topK = keys.integer("expert_used_count");
    config.experts.width = keys.integerOfAllLayers("expert_feed_forward_length", 0);
    keys.requireNone("expert_shared_count", "shared experts");
    if (shared)
        config.experts.sharedWidth =
            keys.integerOfAllLayers("expert_shared_feed_forward_length", config.dFf);
    else
        keys.requireNone("expert_shared_feed_forward_length", "shared experts");
    for (const char* const name : {"expert_weights_scale", "expert_gating_func"})
        if (keys.number(name, 1.0) != 1.0)
            keys.refuse(name, "Only 1 is supported");
}

} // namespace

void readGgufExtents(const GgufKeys& keys, ModelConfig& config)
{
    config.layers = keys.integer("block_count");
    config.dModel = keys.integer("embedding_length");
    if (config.dModel < 1)
        keys.refuse("embedding_length", "A positive number was expected");
    config.dFf = keys.integerOfAllLayers("feed_forward_length");
    config.maxLen = keys.integer("context_length");
    config.heads = keys.integerOfAllLayers("attention.head_count");
    if (config.heads < 1)
        keys.refuse("attention.head_count", "At least one head was expected");
    config.keyHeads = keys.integerOfAllLayers("attention.head_count_kv", config.heads);
    if (config.keyHeads < 1 || config.keyHeads > config.heads)
        keys.refuse("attention.head_count_kv",
                    fmt::format("A number from 1 to {} was expected, at most the number of heads",
                                config.heads));
    if (config.keyHeads == config.heads)
        config.keyHeads = 0; // one representation, so that equal models compare equal
    config.headDimension = keys.integerOfAllLayers("attention.key_length", 0);
    if (keys.has("attention.value_length") &&
        keys.integerOfAllLayers("attention.value_length") != config.headDim())
        keys.refuse("attention.value_length",
                    fmt::format("Only {} is supported, as many as keys have", config.headDim()));
    const std::int64_t tensors = static_cast<std::int64_t>(keys.file().tensors().size());
    if (config.layers > tensors)
        keys.refuse("block_count", fmt::format("The file has {} tensors", tensors));
}

ModelConfig readGgufDecoder(const GgufKeys& keys, const GgufDecoderKind& kind)
{
    if (!kind.experts)
        keys.requireNone("expert_count", "experts");
    if (!kind.factors) {
        keys.requireNone("attention.scale", "a separate scale for the scores");
        keys.requireNone("logit_scale", "scaled logits");
        keys.requireNone("residual_scale", "scaled sublayers");
        keys.requireNone("embedding_scale", "scaled embeddings");
    }
    if (kind.windows == GgufWindows::None)
        keys.requireNone("attention.sliding_window", "windows");
    ModelConfig config;
    readGgufExtents(keys, config);
    config.activation = Activation::SwiGlu;
    config.norm = kind.norm;
    config.normEpsilon = keys.number(kind.norm == Norm::Rms ? "attention.layer_norm_rms_epsilon"
                                                            : "attention.layer_norm_epsilon");
    readRope(keys, kind.layout, config);
    readFrequencyFactors(keys.file(), config);
    readExperts(keys, kind.sharedExperts, config);
    const std::int64_t window = keys.integer("attention.sliding_window", 0);
    if (kind.windows == GgufWindows::AllLayers && window > 0)
        config.window = window;
    const GgufFile& file = keys.file();
    config.bias =
        file.find("blk.0.attn_output.bias") != nullptr || file.find("blk.0.ffn_up.bias") != nullptr;
    config.queryKeyValueBias =
        file.find("blk.0.attn_q.bias") != nullptr || file.find("blk.0.attn_qkv.bias") != nullptr;
    return config;
}

std::vector<bool> ggufLocalLayers(const GgufKeys& keys, const ModelConfig& config,
                                  std::int64_t period)
{
    constexpr const char* kPattern = "attention.sliding_window_pattern";
    const std::size_t layers = layersOf(config).size();
    std::vector<bool> local = keys.flagOfEachLayer(kPattern, layers);
    if (!local.empty())
        return local;
    period = keys.integer(kPattern, period);
    if (period < 1)
        keys.refuse(kPattern, "A positive number was expected");
    for (std::size_t layer = 0; layer < layers; ++layer)
        local.push_back((static_cast<std::int64_t>(layer) + 1) % period != 0);
    return local;
}

PartNames ggufDecoderNames(const PartNames& changed)
{
    PartNames names = changed;
    names.merge(PartNames{{"tok_emb", "token_embd"},
                          {"ln1", "blk.{}.attn_norm"},
                          {"attn.q", "blk.{}.attn_q"},
                          {"attn.k", "blk.{}.attn_k"},
                          {"attn.v", "blk.{}.attn_v"},
                          {"attn.o", "blk.{}.attn_output"},
                          {"attn.q_norm", "blk.{}.attn_q_norm"},
                          {"attn.k_norm", "blk.{}.attn_k_norm"},
                          {"ln2", "blk.{}.ffn_norm"},
                          {"gate", "blk.{}.ffn_gate"},
                          {"up", "blk.{}.ffn_up"},
                          {"down", "blk.{}.ffn_down"},
                          {"router", "blk.{}.ffn_gate_inp"},
                          {"expert.gate", "blk.{}.ffn_gate_exps"},
                          {"expert.up", "blk.{}.ffn_up_exps"},
                          {"expert.down", "blk.{}.ffn_down_exps"},
                          {"shared.gate", "blk.{}.ffn_gate_shexp"},
                          {"shared.up", "blk.{}.ffn_up_shexp"},
                          {"shared.down", "blk.{}.ffn_down_shexp"},
                          {"shared.scale", "blk.{}.ffn_gate_inp_shexp"},
                          {"ln_f", "output_norm"},
                          {"head", "output"}});
    return names;
}

const PartNames kGgufDecoderNames = ggufDecoderNames({});

} // namespace headscope
