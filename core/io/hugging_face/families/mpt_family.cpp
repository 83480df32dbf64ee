#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"

namespace headscope {

namespace {

/// Slopes of ALiBi are powers of 2 down to 2 to the power of minus this, as in its paper.
constexpr std::int64_t kSlopes = 8;
constexpr std::int64_t kWidestRatio = 64; ///< Far above any model's, so that products fit.

const PartNames kMptNames{{"tok_emb", "wte"},
                          {"ln1", "blocks.{}.norm_1"},
                          {"attn.qkv", "blocks.{}.attn.Wqkv"},
                          {"attn.o", "blocks.{}.attn.out_proj"},
                          {"ln2", "blocks.{}.norm_2"},
                          {"fc1", "blocks.{}.ffn.up_proj"},
                          {"fc2", "blocks.{}.ffn.down_proj"},
                          {"ln_f", "norm_f"},
                          {"head", "lm_head"}};

const std::map<std::string, Norm> kMptNorms{{"low_precision_layernorm", Norm::Layer},
                                            {"layernorm", Norm::Layer}};

void readAttention(const ConfigReader& json, ModelConfig& config)
{
    json.requireFlag("alibi", true);
    json.requireFlag("prefix_lm", false);
    json.requireFlag("qk_ln", false);
    const std::string kind = json.text("attn_type", "multihead_attention");
    if (kind != "multihead_attention")
        json.refuse("attn_type", "Supported: \"multihead_attention\"");
    if (json.has("clip_qkv"))
        json.refuse("clip_qkv", "Only models without it are supported");
    if (json.integer("alibi_bias_max", kSlopes) != kSlopes)
        json.refuse("alibi_bias_max", fmt::format("Only {} is supported", kSlopes));
    if (json.has("softmax_scale"))
        config.attentionScale = json.number("softmax_scale");
    config.attentionDropout = json.number("attn_pdrop", 0.0);
}

/// No linear layer and no norm has a bias.
ModelConfig readMpt(const ConfigReader& json)
{
    json.requireFlag("no_bias", true);
    if (json.has("logit_scale"))
        json.refuse("logit_scale", "Only models without it are supported");
    ModelConfig config;
    config.dModel = json.integer("d_model");
    config.heads = json.integer("n_heads");
    config.layers = json.integer("n_layers");
    const std::int64_t ratio = json.integer("expansion_ratio", 4);
    if (ratio < 1 || ratio > kWidestRatio)
        json.refuse("expansion_ratio",
                    fmt::format("Use a whole number from {} to {}", 1, kWidestRatio));
    config.dFf = ratio * config.dModel;
    config.maxLen = json.integer("max_seq_len", 2048);
    config.positions = Positions::Alibi;
    config.norm = json.choice("norm_type", "low_precision_layernorm", kMptNorms);
    config.normBias = false;
    config.normEpsilon = json.number("layer_norm_epsilon", 1e-5);
    config.bias = false;
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("resid_pdrop", 0.0);
    config.embeddingDropout = json.number("emb_pdrop", 0.0);
    if (json.has("attn_config"))
        readAttention(json.object("attn_config"), config);
    return config;
}

} // namespace

const HuggingFaceFamily kMptFamily{.modelType = "mpt",
                                   .prefix = "transformer.",
                                   .readConfig = readMpt,
                                   .names = kMptNames,
                                   .describe = describeJoinedHeads};

} // namespace headscope
