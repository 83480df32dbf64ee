#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/bert_encoder.h"

namespace headscope {

namespace {

const PartNames kDistilBertNames{{"tok_emb", "embeddings.word_embeddings"},
                                 {"pos_emb", "embeddings.position_embeddings"},
                                 {"ln_emb", "embeddings.LayerNorm"},
                                 {"attn.q", "transformer.layer.{}.attention.q_lin"},
                                 {"attn.k", "transformer.layer.{}.attention.k_lin"},
                                 {"attn.v", "transformer.layer.{}.attention.v_lin"},
                                 {"attn.o", "transformer.layer.{}.attention.out_lin"},
                                 {"ln1", "transformer.layer.{}.sa_layer_norm"},
                                 {"fc1", "transformer.layer.{}.ffn.lin1"},
                                 {"fc2", "transformer.layer.{}.ffn.lin2"},
                                 {"ln2", "transformer.layer.{}.output_layer_norm"},
                                 {"head.dense", "vocab_transform"},
                                 {"head.ln", "vocab_layer_norm"},
                                 {"head", "vocab_projector"}};

ModelConfig readDistilBert(const ConfigReader& json)
{
    ModelConfig config = postNormEncoder();
    config.dModel = json.integer("dim");
    config.heads = json.integer("n_heads");
    config.layers = json.integer("n_layers");
    config.dFf = json.integer("hidden_dim");
    config.maxLen = json.integer("max_position_embeddings");
    config.activation = json.choice("activation", "gelu", plainActivations());
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("dropout", 0.1);
    config.attentionDropout = json.number("attention_dropout", 0.1);
    readHead(json, "vocab_transform.weight", config);
    return config;
}

} // namespace

const HuggingFaceFamily kDistilBertFamily{.modelType = "distilbert",
                                          .prefix = "distilbert.",
                                          .readConfig = readDistilBert,
                                          .names = kDistilBertNames};

} // namespace headscope
