#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"

namespace headscope {

namespace {

/// Rows of the position matrix before that of the first token.
constexpr std::int64_t kOptSkipped = 2;

const PartNames kOptNames{{"tok_emb", "embed_tokens"},
                          {"pos_emb", "embed_positions"},
                          {"ln1", "layers.{}.self_attn_layer_norm"},
                          {"attn.q", "layers.{}.self_attn.q_proj"},
                          {"attn.k", "layers.{}.self_attn.k_proj"},
                          {"attn.v", "layers.{}.self_attn.v_proj"},
                          {"attn.o", "layers.{}.self_attn.out_proj"},
                          {"ln2", "layers.{}.final_layer_norm"},
                          {"fc1", "layers.{}.fc1"},
                          {"fc2", "layers.{}.fc2"},
                          {"ln_f", "final_layer_norm"},
                          {"head", "lm_head"}};

/// OPT-350M: embeddings are projected to the width of the layers, and hidden states back.
bool hasNarrowEmbeddings(const ConfigReader& json)
{
    const std::int64_t width = json.integer("hidden_size");
    return json.integer("word_embed_proj_dim", width) != width;
}

ModelConfig readOpt(const ConfigReader& json)
{
    const bool normsFirst = json.flag("do_layer_norm_before", true);
    if (normsFirst)
        json.requireFlag("_remove_final_layer_norm", false);
    json.requireFlag("layer_norm_elementwise_affine", true);
    ModelConfig config;
    config.dModel = json.integer("hidden_size");
    config.normPosition = normsFirst ? NormPosition::Pre : NormPosition::Post;
    config.heads = json.integer("num_attention_heads");
    config.layers = json.integer("num_hidden_layers");
    config.dFf = json.integer("ffn_dim");
    config.maxLen = json.integer("max_position_embeddings");
    config.activation = json.choice("activation_function", "relu", plainActivations());
    config.bias = json.flag("enable_bias", true);
    config.tieEmbeddings = json.flag("tie_word_embeddings", true) && !hasNarrowEmbeddings(json);
    config.dropout = json.number("dropout", 0.1);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    return config;
}

void describeOpt(const WeightContext& context, StoredWeight& weight)
{
    skipPositions(context, kOptSkipped, weight);
    if (!context.tensors.contains("project_in.weight"))
        return;
    if (context.name.part == "tok_emb")
        weight.factor = {"project_in.weight", true};
    if (context.name.part != "head")
        return;
    weight.names.emplace_back("embed_tokens.weight"); // tied where the file has no lm_head.weight
    weight.factor = {"project_out.weight", false};
}

} // namespace

const HuggingFaceFamily kOptFamily{.modelType = "opt",
                                   .prefix = "model.decoder.",
                                   .readConfig = readOpt,
                                   .names = kOptNames,
                                   .describe = describeOpt};

} // namespace headscope
