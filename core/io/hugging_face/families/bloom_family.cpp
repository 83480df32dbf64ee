#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"

namespace headscope {

namespace {

constexpr std::int64_t kBloomMaxLen = 2048;

ModelConfig readBloom(const ConfigReader& json)
{
    json.requireFlag("apply_residual_connection_post_layernorm", false);
    ModelConfig config;
    config.dModel = json.integer(json.has("n_embed") ? "n_embed" : "hidden_size");
    config.heads = json.integer(json.has("num_attention_heads") ? "num_attention_heads" : "n_head");
    config.layers = json.integer(json.has("num_hidden_layers") ? "num_hidden_layers" : "n_layer");
    config.dFf = 4 * config.dModel;
    config.maxLen = json.integer("seq_length", kBloomMaxLen);
    config.positions = Positions::Alibi;
    config.activation = Activation::GeluTanh;
    config.normEpsilon = json.number("layer_norm_epsilon", 1e-5);
    config.embeddingNorm = true;
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("hidden_dropout", 0.0);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    config.embeddingDropout = 0.0;
    return config;
}

const PartNames kBloomNames{{"tok_emb", "word_embeddings"},
                            {"ln_emb", "word_embeddings_layernorm"},
                            {"ln1", "h.{}.input_layernorm"},
                            {"attn.qkv", "h.{}.self_attention.query_key_value"},
                            {"attn.o", "h.{}.self_attention.dense"},
                            {"ln2", "h.{}.post_attention_layernorm"},
                            {"fc1", "h.{}.mlp.dense_h_to_4h"},
                            {"fc2", "h.{}.mlp.dense_4h_to_h"},
                            {"ln_f", "ln_f"},
                            {"head", "lm_head"}};

} // namespace

const HuggingFaceFamily kBloomFamily{.modelType = "bloom",
                                     .prefix = "transformer.",
                                     .readConfig = readBloom,
                                     .names = kBloomNames,
                                     .describe = describePerHead};

} // namespace headscope
