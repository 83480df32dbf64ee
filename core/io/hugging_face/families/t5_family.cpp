#include "core/io/hugging_face/families/families.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::int64_t kT5MaxLen = 512;

const std::map<std::string, Activation> kT5Activations{{"relu", Activation::Relu},
                                                       {"gelu", Activation::GeluExact},
                                                       {"gelu_new", Activation::GeluTanh},
                                                       {"gated-gelu", Activation::GeGlu},
                                                       {"gated-silu", Activation::SwiGlu}};

ModelConfig readT5(const ConfigReader& json)
{
    ModelConfig config;
    config.architecture = Architecture::EncoderDecoder;
    config.dModel = json.integer("d_model");
    config.heads = json.integer("num_heads");
    config.headDimension = json.integer("d_kv");
    config.layers = json.integer("num_layers");
    config.decoderLayers = json.integer("num_decoder_layers", config.layers);
    config.dFf = json.integer("d_ff");
    config.maxLen = json.integer("n_positions", kT5MaxLen);
    config.positions = Positions::RelativeBuckets;
    config.relativeBuckets = json.integer("relative_attention_num_buckets", 32);
    config.relativeMaxDistance = json.integer("relative_attention_max_distance", 128);
    config.activation = json.choice("feed_forward_proj", "relu", kT5Activations);
    config.norm = Norm::Rms;
    config.normEpsilon = json.number("layer_norm_epsilon", 1e-6);
    config.scaleScores = false;
    config.bias = false;
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.shareSourceEmbedding = true;
    if (json.flag("scale_decoder_outputs", config.tieEmbeddings))
        config.headScale = 1.0 / std::sqrt(static_cast<double>(config.dModel));
    config.dropout = json.number("dropout_rate", 0.1);
    return config;
}

/// T5 v1.1 in many languages; its unembedding, tied or not, has no factor.
ModelConfig readMt5(const ConfigReader& json)
{
    ModelConfig config = readT5(json);
    config.activation = json.choice("feed_forward_proj", "gated-gelu", kT5Activations);
    config.headScale = 1.0;
    return config;
}

/// Parts of both stacks, after "encoder." or "decoder.": the feed-forward network is the last
/// sublayer.
const PartNames kT5Names{{"rel_bias", "block.0.layer.0.SelfAttention.relative_attention_bias"},
                         {"ln1", "block.{}.layer.0.layer_norm"},
                         {"attn.q", "block.{}.layer.0.SelfAttention.q"},
                         {"attn.k", "block.{}.layer.0.SelfAttention.k"},
                         {"attn.v", "block.{}.layer.0.SelfAttention.v"},
                         {"attn.o", "block.{}.layer.0.SelfAttention.o"},
                         {"ln_cross", "block.{}.layer.1.layer_norm"},
                         {"cross.q", "block.{}.layer.1.EncDecAttention.q"},
                         {"cross.k", "block.{}.layer.1.EncDecAttention.k"},
                         {"cross.v", "block.{}.layer.1.EncDecAttention.v"},
                         {"cross.o", "block.{}.layer.1.EncDecAttention.o"},
                         {"fc1", "DenseReluDense.wi"},
                         {"fc2", "DenseReluDense.wo"},
                         {"gate", "DenseReluDense.wi_0"},
                         {"up", "DenseReluDense.wi_1"},
                         {"down", "DenseReluDense.wo"},
                         {"ln2", "layer_norm"},
                         {"ln_f", "final_layer_norm"},
                         {"head", "lm_head"}};

std::vector<std::string> t5Names(const ParameterName& name)
{
    if (name.part == "tok_emb")
        return {"shared.weight", "decoder.embed_tokens.weight", "encoder.embed_tokens.weight"};
    if (name.part == "head")
        return {"lm_head.weight"};
    const bool encoder = name.stack == "enc" || name.part.starts_with("enc.");
    ParameterName inStack = name;
    if (name.part.starts_with("enc.") || name.part.starts_with("dec."))
        inStack.part = name.part.substr(4);
    std::string theirs = storedPart(kT5Names, inStack);
    if (theirs.starts_with("DenseReluDense") || inStack.part == "ln2")
        theirs = fmt::format("block.{}.layer.{}.{}", name.layer, encoder ? 1 : 2, theirs);
    return {(encoder ? "encoder." : "decoder.") + theirs + "." + name.kind};
}

void describeT5(const WeightContext& context, StoredWeight& weight)
{
    weight.names = t5Names(context.name);
}

bool isRedundantInT5(const ModelConfig&, std::string_view name)
{
    return name.ends_with("embed_tokens.weight");
}

} // namespace

const HuggingFaceFamily kT5Family{.modelType = "t5",
                                  .prefix = "",
                                  .readConfig = readT5,
                                  .names = kT5Names,
                                  .describe = describeT5,
                                  .isRedundant = isRedundantInT5};

const HuggingFaceFamily kMt5Family{.modelType = "mt5",
                                   .prefix = "",
                                   .readConfig = readMt5,
                                   .names = kT5Names,
                                   .describe = describeT5,
                                   .isRedundant = isRedundantInT5,
                                   .typical = R"({"tie_word_embeddings": false})"};

} // namespace headscope
