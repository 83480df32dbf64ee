#include "core/io/hugging_face/families/families.h"

namespace headscope {

namespace {

ModelConfig readBert(const ConfigReader& json)
{
    json.requireFlag("is_decoder", false);
    if (json.text("position_embedding_type", "absolute") != "absolute")
        json.refuse("position_embedding_type", "Only \"absolute\" is supported");
    ModelConfig config;
    config.architecture = Architecture::Encoder;
    config.dModel = json.integer("hidden_size");
    config.heads = json.integer("num_attention_heads");
    config.layers = json.integer("num_hidden_layers");
    config.dFf = json.integer("intermediate_size");
    config.maxLen = json.integer("max_position_embeddings");
    config.tokenTypes = json.integer("type_vocab_size", 2);
    config.activation = json.choice("hidden_act", "gelu", plainActivations());
    config.normPosition = NormPosition::Post;
    config.normEpsilon = json.number("layer_norm_eps", 1e-12);
    config.embeddingNorm = true;
    config.causal = false;
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("hidden_dropout_prob", 0.1);
    config.attentionDropout = json.number("attention_probs_dropout_prob", 0.1);
    config.languageHead = json.hasTensor("cls.predictions.transform.dense.weight");
    config.headTransform = config.languageHead;
    config.headBias = config.languageHead;
    config.nextSentence = json.hasTensor("cls.seq_relationship.weight");
    return config;
}

const PartNames kBertNames{{"tok_emb", "embeddings.word_embeddings"},
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
                           {"ln2", "encoder.layer.{}.output.LayerNorm"},
                           {"head.dense", "cls.predictions.transform.dense"},
                           {"head.ln", "cls.predictions.transform.LayerNorm"},
                           {"head", "cls.predictions.decoder"},
                           {"pooler", "pooler.dense"},
                           {"next_sentence", "cls.seq_relationship"}};

void describeBert(const WeightContext& context, StoredWeight& weight)
{
    if (context.name.part == "head" && context.name.kind == "bias")
        weight.names.insert(weight.names.begin(), "cls.predictions.bias");
}

bool isRedundantInBert(const ModelConfig& config, std::string_view name)
{
    return (!config.nextSentence && name.starts_with("pooler.")) ||
           name == "cls.predictions.decoder.bias" ||
           (config.tieEmbeddings && name == "cls.predictions.decoder.weight");
}

} // namespace

const HuggingFaceFamily kBertFamily{.modelType = "bert",
                                    .prefix = "bert.",
                                    .readConfig = readBert,
                                    .names = kBertNames,
                                    .describe = describeBert,
                                    .isRedundant = isRedundantInBert};

} // namespace headscope
