#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/bert_encoder.h"
#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/layer_kinds.h"
#include "core/io/hugging_face/rope_reader.h"

namespace headscope {

namespace {

constexpr double kGlobalBase = 160000.0;
constexpr double kLocalBase = 10000.0;

const PartNames kModernBertNames{{"tok_emb", "embeddings.tok_embeddings"},
                                 {"ln_emb", "embeddings.norm"},
                                 {"ln1", "layers.{}.attn_norm"},
                                 {"attn.qkv", "layers.{}.attn.Wqkv"},
                                 {"attn.o", "layers.{}.attn.Wo"},
                                 {"ln2", "layers.{}.mlp_norm"},
                                 {"gate_up", "layers.{}.mlp.Wi"},
                                 {"down", "layers.{}.mlp.Wo"},
                                 {"ln_f", "final_norm"},
                                 {"head.dense", "head.dense"},
                                 {"head.ln", "head.norm"},
                                 {"head", "decoder"}};

/// One flag covers all biases of linear layers but those of queries, keys and values: the others
/// are zeros where the file has none.
void readModernBertBiases(const ConfigReader& json, ModelConfig& config)
{
    const bool attention = json.flag("attention_bias", false);
    config.bias = attention || json.flag("mlp_bias", false) || json.flag("classifier_bias", false);
    config.queryKeyValueBias = attention;
    config.normBias = json.flag("norm_bias", false);
}

/// Every n-th layer sees all tokens, the others those up to half of "local_attention" away, with a
/// rotary base of their own. The first reads the embeddings, which have a norm already.
void readModernBertLayers(const ConfigReader& json, ModelConfig& config)
{
    if (json.has("rope_scaling"))
        json.refuse("rope_scaling", "Only models without it are supported");
    const std::int64_t period = json.positiveInteger("global_attn_every_n_layers", 3);
    const std::int64_t span = json.integer("local_attention", 128);
    const std::vector<bool> local =
        localLayers(json, config, [&](std::int64_t layer) { return layer % period != 0; });
    config.rope =
        readLayerRope(json, config, "full_attention", "global_rope_theta", kGlobalBase, false);
    const RopeSettings localRope =
        readLayerRope(json, config, "sliding_attention", "local_rope_theta", kLocalBase, false);
    setWindows(config, local, span / 2 + 1, localRope);
    std::vector<LayerSettings> layers = layersOf(config);
    if (!layers.empty())
        layers.front().normsAttention = false;
    setLayers(config, std::move(layers));
}

ModelConfig readModernBert(const ConfigReader& json)
{
    ModelConfig config;
    config.architecture = Architecture::Encoder;
    config.causal = false;
    config.embeddingNorm = true;
    config.positions = Positions::Rope;
    config.dModel = json.integer("hidden_size");
    config.heads = json.integer("num_attention_heads");
    config.layers = json.integer("num_hidden_layers");
    config.dFf = json.integer("intermediate_size");
    config.maxLen = json.integer("max_position_embeddings");
    config.activation = json.choice("hidden_activation", "gelu", gatedActivations());
    config.normEpsilon = json.number("norm_eps", 1e-5);
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("mlp_dropout", 0.0);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    config.embeddingDropout = json.number("embedding_dropout", 0.0);
    readModernBertBiases(json, config);
    readModernBertLayers(json, config);
    readHead(json, "head.dense.weight", config);
    config.headBias = config.languageHead && json.flag("decoder_bias", true);
    if (config.languageHead && json.text("classifier_activation", "gelu") != "gelu")
        json.refuse("classifier_activation", "Only \"gelu\" is supported");
    return config;
}

void describeModernBert(const WeightContext& context, StoredWeight& weight)
{
    describeJoinedHeads(context, weight);
    describeJoinedGate(context, weight);
    dropOutputBias(context, weight);
    const std::string& part = context.name.part;
    weight.optional = context.name.kind == "bias" && part != "head" && part != "attn.o" &&
                      context.name.queryKeyValue() < 0;
}

} // namespace

const HuggingFaceFamily kModernBertFamily{.modelType = "modernbert",
                                          .readConfig = readModernBert,
                                          .names = kModernBertNames,
                                          .describe = describeModernBert,
                                          .typical = R"({"hidden_activation": "gelu"})"};

} // namespace headscope
