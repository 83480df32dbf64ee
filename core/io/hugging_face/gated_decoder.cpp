#include "core/io/hugging_face/gated_decoder.h"

#include "core/io/hugging_face/rope_reader.h"

namespace headscope {

ModelConfig readGatedDecoder(const ConfigReader& json, std::int64_t keyHeads, double theta)
{
    ModelConfig config;
    config.dModel = json.integer("hidden_size");
    config.heads = json.integer("num_attention_heads");
    config.keyHeads = json.integer("num_key_value_heads", keyHeads);
    if (config.keyHeads == config.heads)
        config.keyHeads = 0; // one representation, so that equal models compare equal
    config.headDimension = json.integer("head_dim", 0);
    config.layers = json.integer("num_hidden_layers");
    config.dFf = json.integer("intermediate_size");
    config.maxLen = json.integer("max_position_embeddings");
    config.activation = json.choice("hidden_act", "silu", gatedActivations());
    config.norm = Norm::Rms;
    config.normEpsilon = json.number("rms_norm_eps", 1e-6);
    config.bias = false;
    config.tieEmbeddings = json.flag("tie_word_embeddings", false);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    readRope(json, config, theta);
    return config;
}

const PartNames& gatedDecoderNames()
{
    static const PartNames names{{"tok_emb", "embed_tokens"},
                                 {"ln1", "layers.{}.input_layernorm"},
                                 {"attn.q", "layers.{}.self_attn.q_proj"},
                                 {"attn.k", "layers.{}.self_attn.k_proj"},
                                 {"attn.v", "layers.{}.self_attn.v_proj"},
                                 {"attn.o", "layers.{}.self_attn.o_proj"},
                                 {"ln2", "layers.{}.post_attention_layernorm"},
                                 {"gate", "layers.{}.mlp.gate_proj"},
                                 {"up", "layers.{}.mlp.up_proj"},
                                 {"down", "layers.{}.mlp.down_proj"},
                                 {"ln_f", "norm"},
                                 {"head", "lm_head"}};
    return names;
}

} // namespace headscope
