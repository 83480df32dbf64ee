#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/rope_reader.h"

namespace headscope {

namespace {

const PartNames kPhiNames{{"tok_emb", "embed_tokens"},
                          {"ln1", "layers.{}.input_layernorm"},
                          {"attn.q", "layers.{}.self_attn.q_proj"},
                          {"attn.k", "layers.{}.self_attn.k_proj"},
                          {"attn.v", "layers.{}.self_attn.v_proj"},
                          {"attn.o", "layers.{}.self_attn.dense"},
                          {"attn.q_norm", "layers.{}.self_attn.q_layernorm"},
                          {"attn.k_norm", "layers.{}.self_attn.k_layernorm"},
                          {"fc1", "layers.{}.mlp.fc1"},
                          {"fc2", "layers.{}.mlp.fc2"},
                          {"ln_f", "final_layernorm"},
                          {"head", "lm_head"}};

ModelConfig readPhi(const ConfigReader& json)
{
    ModelConfig config;
    config.dModel = json.integer("hidden_size");
    config.heads = json.integer("num_attention_heads");
    config.keyHeads = json.integer("num_key_value_heads", 0);
    if (config.keyHeads == config.heads)
        config.keyHeads = 0; // one representation, so that equal models compare equal
    config.layers = json.integer("num_hidden_layers");
    config.dFf = json.integer("intermediate_size");
    config.maxLen = json.integer("max_position_embeddings");
    config.activation = json.choice("hidden_act", "gelu_new", plainActivations());
    config.normEpsilon = json.number("layer_norm_eps", 1e-5);
    config.residual = Residual::Parallel;
    config.sharedNorm = true;
    config.headBias = true;
    if (json.flag("qk_layernorm", false))
        config.queryKeyNorm = QueryKeyNorm::PerHead;
    config.tieEmbeddings = json.flag("tie_word_embeddings", false);
    config.dropout = json.number("resid_pdrop", 0.0);
    config.embeddingDropout = json.number("embd_pdrop", 0.0);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    readRope(json, config, 10000.0, 0.5);
    return config;
}

} // namespace

const HuggingFaceFamily kPhiFamily{.modelType = "phi", .readConfig = readPhi, .names = kPhiNames};

} // namespace headscope
