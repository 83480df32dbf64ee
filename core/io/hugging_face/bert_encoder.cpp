#include "core/io/hugging_face/bert_encoder.h"

namespace headscope {

ModelConfig postNormEncoder()
{
    ModelConfig config;
    config.architecture = Architecture::Encoder;
    config.normPosition = NormPosition::Post;
    config.normEpsilon = 1e-12;
    config.embeddingNorm = true;
    config.causal = false;
    return config;
}

ModelConfig readBertEncoder(const ConfigReader& json)
{
    json.requireFlag("is_decoder", false);
    if (json.text("position_embedding_type", "absolute") != "absolute")
        json.refuse("position_embedding_type", "Only \"absolute\" is supported");
    ModelConfig config = postNormEncoder();
    config.dModel = json.integer("hidden_size");
    config.heads = json.integer("num_attention_heads");
    config.layers = json.integer("num_hidden_layers");
    config.dFf = json.integer("intermediate_size");
    config.maxLen = json.integer("max_position_embeddings");
    config.tokenTypes = json.integer("type_vocab_size", 2);
    config.activation = json.choice("hidden_act", "gelu", plainActivations());
    config.normEpsilon = json.number("layer_norm_eps", 1e-12);
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("hidden_dropout_prob", 0.1);
    config.attentionDropout = json.number("attention_probs_dropout_prob", 0.1);
    return config;
}

void readHead(const ConfigReader& json, const char* dense, ModelConfig& config)
{
    config.languageHead = json.hasTensor(dense);
    config.headTransform = config.languageHead;
    config.headBias = config.languageHead;
}

void readExactHead(const ConfigReader& json, const char* dense, ModelConfig& config)
{
    readHead(json, dense, config);
    if (config.languageHead && config.activation != Activation::GeluExact)
        json.refuse("hidden_act", "Only \"gelu\" is supported with a language head");
}

PartNames bertEncoderNames(const PartNames& changed)
{
    PartNames names = changed;
    names.merge(PartNames{{"tok_emb", "embeddings.word_embeddings"},
                          {"pos_emb", "embeddings.position_embeddings"},
                          {"type_emb", "embeddings.token_type_embeddings"},
                          {"ln_emb", "embeddings.LayerNorm"},
                          {"attn.q", "encoder.layer.{}.attention.self.query"},
                          {"attn.k", "encoder.layer.{}.attention.self.key"},
                          {"attn.v", "encoder.layer.{}.attention.self.value"},
                          {"attn.o", "encoder.layer.{}.attention.output.dense"},
                          {"ln1", "encoder.layer.{}.attention.output.LayerNorm"},
                          {"fc1", "encoder.layer.{}.intermediate.dense"},
                          {"fc2", "encoder.layer.{}.output.dense"},
                          {"ln2", "encoder.layer.{}.output.LayerNorm"}});
    return names;
}

} // namespace headscope
