#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/rope_reader.h"

namespace headscope {

namespace {

ModelConfig readGptNeoX(const ConfigReader& json)
{
    ModelConfig config;
    config.dModel = json.integer("hidden_size");
    config.heads = json.integer("num_attention_heads");
    config.layers = json.integer("num_hidden_layers");
    config.dFf = json.integer("intermediate_size");
    config.maxLen = json.integer("max_position_embeddings");
    config.activation = json.choice("hidden_act", "gelu", plainActivations());
    config.normEpsilon = json.number("layer_norm_eps", 1e-5);
    config.residual =
        json.flag("use_parallel_residual", true) ? Residual::Parallel : Residual::Sequential;
    config.queryKeyValueBias = json.flag("attention_bias", true);
    config.tieEmbeddings = json.flag("tie_word_embeddings", false);
    config.dropout = json.number("hidden_dropout", 0.0);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    readRope(json, config, 10000.0, 0.25,
             json.has("rotary_emb_base") ? "rotary_emb_base" : "rope_theta", "rotary_pct");
    return config;
}

const PartNames kGptNeoXNames{{"tok_emb", "embed_in"},
                              {"ln1", "layers.{}.input_layernorm"},
                              {"attn.qkv", "layers.{}.attention.query_key_value"},
                              {"attn.o", "layers.{}.attention.dense"},
                              {"ln2", "layers.{}.post_attention_layernorm"},
                              {"fc1", "layers.{}.mlp.dense_h_to_4h"},
                              {"fc2", "layers.{}.mlp.dense_4h_to_h"},
                              {"ln_f", "final_layer_norm"},
                              {"head", "embed_out"}};

void describeGptNeoX(const WeightContext& context, StoredWeight& weight)
{
    describePerHead(context, weight);
    dropOutputBias(context, weight);
}

} // namespace

const HuggingFaceFamily kGptNeoXFamily{.modelType = "gpt_neox",
                                       .prefix = "gpt_neox.",
                                       .readConfig = readGptNeoX,
                                       .names = kGptNeoXNames,
                                       .describe = describeGptNeoX};

} // namespace headscope
