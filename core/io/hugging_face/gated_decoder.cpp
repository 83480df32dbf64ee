#include "core/io/hugging_face/gated_decoder.h"

#include "core/io/hugging_face/rope_reader.h"

namespace headscope {

ModelConfig readGatedDecoder(const ConfigReader& json, const GatedDefaults& defaults)
{
    ModelConfig config;
    config.dModel = json.integer("hidden_size");
    config.heads = json.integer("num_attention_heads");
    config.keyHeads = json.integer("num_key_value_heads", defaults.keyHeads);
    if (config.keyHeads == config.heads)
        config.keyHeads = 0; // one representation, so that equal models compare equal
    config.headDimension = json.integer("head_dim", defaults.headDim);
    config.layers = json.integer("num_hidden_layers");
    config.dFf = json.integer("intermediate_size");
    config.maxLen = json.integer("max_position_embeddings");
    config.activation =
        json.choice(defaults.activationKey, defaults.activation, gatedActivations());
    config.norm = Norm::Rms;
    config.normEpsilon = json.number("rms_norm_eps", defaults.epsilon);
    config.bias = false;
    config.tieEmbeddings = json.flag("tie_word_embeddings", defaults.tied);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    readRope(json, config, defaults.theta, defaults.rotated);
    return config;
}

void readBiases(const ConfigReader& json, ModelConfig& config)
{
    const bool attentionBias = json.flag("attention_bias", false);
    const bool otherBias = json.flag("mlp_bias", false);
    if (otherBias && json.hasTensor(".weight") && !json.hasTensor(".down_proj.bias"))
        json.refuse("mlp_bias", "The weights contain no such bias");
    config.bias = attentionBias || otherBias;
    config.queryKeyValueBias = attentionBias;
}

PartNames gatedDecoderNames(const PartNames& changed)
{
    PartNames names = changed;
    names.merge(PartNames{{"tok_emb", "embed_tokens"},
                          {"ln1", "layers.{}.input_layernorm"},
                          {"attn.q", "layers.{}.self_attn.q_proj"},
                          {"attn.k", "layers.{}.self_attn.k_proj"},
                          {"attn.v", "layers.{}.self_attn.v_proj"},
                          {"attn.o", "layers.{}.self_attn.o_proj"},
                          {"attn.q_norm", "layers.{}.self_attn.q_norm"},
                          {"attn.k_norm", "layers.{}.self_attn.k_norm"},
                          {"ln2", "layers.{}.post_attention_layernorm"},
                          {"gate", "layers.{}.mlp.gate_proj"},
                          {"up", "layers.{}.mlp.up_proj"},
                          {"down", "layers.{}.mlp.down_proj"},
                          {"router", "layers.{}.mlp.gate"},
                          {"expert.gate", "layers.{}.mlp.experts.{e}.gate_proj"},
                          {"expert.up", "layers.{}.mlp.experts.{e}.up_proj"},
                          {"expert.down", "layers.{}.mlp.experts.{e}.down_proj"},
                          {"ln_f", "norm"},
                          {"head", "lm_head"}});
    return names;
}

const PartNames kGatedDecoderNames = gatedDecoderNames({});

} // namespace headscope
