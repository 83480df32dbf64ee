#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"

namespace headscope {

namespace {

const PartNames kGptJNames{{"tok_emb", "wte"},
                           {"ln1", "h.{}.ln_1"},
                           {"attn.q", "h.{}.attn.q_proj"},
                           {"attn.k", "h.{}.attn.k_proj"},
                           {"attn.v", "h.{}.attn.v_proj"},
                           {"attn.o", "h.{}.attn.out_proj"},
                           {"fc1", "h.{}.mlp.fc_in"},
                           {"fc2", "h.{}.mlp.fc_out"},
                           {"ln_f", "ln_f"},
                           {"head", "lm_head"}};

const PartNames kCodeGenNames{{"tok_emb", "wte"},
                              {"ln1", "h.{}.ln_1"},
                              {"attn.qkv", "h.{}.attn.qkv_proj"},
                              {"attn.o", "h.{}.attn.out_proj"},
                              {"fc1", "h.{}.mlp.fc_in"},
                              {"fc2", "h.{}.mlp.fc_out"},
                              {"ln_f", "ln_f"},
                              {"head", "lm_head"}};

/// Attention has no biases; the feed-forward network and the head have.
ModelConfig readGptJ(const ConfigReader& json)
{
    ModelConfig config;
    config.dModel = json.integer("n_embd");
    config.heads = json.integer("n_head");
    config.layers = json.integer("n_layer");
    config.dFf = json.integer("n_inner", 4 * config.dModel);
    config.maxLen = json.integer("n_positions", 2048);
    config.positions = Positions::Rope;
    config.rope.layout = RopeSettings::Layout::Interleaved;
    config.rope.dimensions = json.positiveInteger("rotary_dim", 64);
    config.activation = json.choice("activation_function", "gelu_new", plainActivations());
    config.normEpsilon = json.number("layer_norm_epsilon", 1e-5);
    config.residual = Residual::Parallel;
    config.sharedNorm = true;
    config.queryKeyValueBias = false;
    config.headBias = true;
    config.tieEmbeddings = json.flag("tie_word_embeddings", false);
    config.dropout = json.number("resid_pdrop", 0.0);
    config.embeddingDropout = json.number("embd_pdrop", 0.0);
    config.attentionDropout = json.number("attn_pdrop", 0.0);
    return config;
}

ModelConfig readCodeGen(const ConfigReader& json)
{
    ModelConfig config = readGptJ(json);
    if (config.dModel % 4 != 0)
        json.refuse("n_embd", "Use a multiple of 4");
    return config;
}

void describeCodeGen(const WeightContext& context, StoredWeight& weight)
{
    describeQuarters(context, weight);
    dropOutputBias(context, weight);
}

/// Masks that older versions saved.
bool isRedundantInCodeGen(const ModelConfig&, std::string_view name)
{
    return name.ends_with(".attn.causal_mask");
}

} // namespace

const HuggingFaceFamily kGptJFamily{.modelType = "gptj",
                                    .prefix = "transformer.",
                                    .readConfig = readGptJ,
                                    .names = kGptJNames,
                                    .describe = dropOutputBias,
                                    .typical = R"({"rotary_dim": 8})"};

const HuggingFaceFamily kCodeGenFamily{.modelType = "codegen",
                                       .prefix = "transformer.",
                                       .readConfig = readCodeGen,
                                       .names = kCodeGenNames,
                                       .describe = describeCodeGen,
                                       .isRedundant = isRedundantInCodeGen,
                                       .typical = R"({"rotary_dim": 8})"};

} // namespace headscope
