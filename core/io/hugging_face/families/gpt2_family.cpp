#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"

namespace headscope {

namespace {

ModelConfig readGpt2(const ConfigReader& json)
{
    json.requireFlag("scale_attn_by_inverse_layer_idx", false);
    json.requireFlag("add_cross_attention", false);
    ModelConfig config;
    config.dModel = json.integer("n_embd");
    config.heads = json.integer("n_head");
    config.layers = json.integer("n_layer");
    config.dFf = json.integer("n_inner", 4 * config.dModel);
    config.maxLen = json.integer("n_positions");
    config.activation = json.choice("activation_function", "gelu_new", plainActivations());
    config.normEpsilon = json.number("layer_norm_epsilon", 1e-5);
    config.scaleScores = json.flag("scale_attn_weights", true);
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("resid_pdrop", 0.1);
    config.attentionDropout = json.number("attn_pdrop", 0.1);
    config.embeddingDropout = json.number("embd_pdrop", 0.1);
    return config;
}

/// GPT-2 with one key head for all heads (StarCoder).
ModelConfig readGptBigCode(const ConfigReader& json)
{
    ModelConfig config = readGpt2(json);
    if (json.flag("multi_query", true) && config.heads != 1)
        config.keyHeads = 1;
    return config;
}

const PartNames kGpt2Names{{"tok_emb", "wte"},
                           {"pos_emb", "wpe"},
                           {"ln1", "h.{}.ln_1"},
                           {"attn.qkv", "h.{}.attn.c_attn"},
                           {"attn.o", "h.{}.attn.c_proj"},
                           {"ln2", "h.{}.ln_2"},
                           {"fc1", "h.{}.mlp.c_fc"},
                           {"fc2", "h.{}.mlp.c_proj"},
                           {"ln_f", "ln_f"},
                           {"head", "lm_head"}};

void describeGpt2(const WeightContext& context, StoredWeight& weight)
{
    const ParameterName& name = context.name;
    const bool linear = name.part.starts_with("attn.") || name.part.starts_with("fc");
    weight.transposed = linear && name.kind == "weight";
    if (name.queryKeyValue() < 0)
        return;
    weight.part = name.queryKeyValue();
    weight.parts = 3;
}

void describeGptBigCode(const WeightContext& context, StoredWeight& weight)
{
    const bool multiQuery = context.config.keyHeadCount() != context.config.heads;
    (multiQuery ? describeJoinedHeads : describePerHead)(context, weight);
}

} // namespace

const HuggingFaceFamily kGpt2Family{.modelType = "gpt2",
                                    .prefix = "transformer.",
                                    .readConfig = readGpt2,
                                    .names = kGpt2Names,
                                    .describe = describeGpt2};

const HuggingFaceFamily kGptBigCodeFamily{.modelType = "gpt_bigcode",
                                          .prefix = "transformer.",
                                          .readConfig = readGptBigCode,
                                          .names = kGpt2Names,
                                          .describe = describeGptBigCode};

} // namespace headscope
