#include "core/io/hugging_face/families/families.h"

#include <cmath>

namespace headscope {

namespace {

/// Parts of both stacks, after "encoder." or "decoder.".
const PartNames kMarianNames{{"ln1", "layers.{}.self_attn_layer_norm"},
                             {"attn.q", "layers.{}.self_attn.q_proj"},
                             {"attn.k", "layers.{}.self_attn.k_proj"},
                             {"attn.v", "layers.{}.self_attn.v_proj"},
                             {"attn.o", "layers.{}.self_attn.out_proj"},
                             {"ln_cross", "layers.{}.encoder_attn_layer_norm"},
                             {"cross.q", "layers.{}.encoder_attn.q_proj"},
                             {"cross.k", "layers.{}.encoder_attn.k_proj"},
                             {"cross.v", "layers.{}.encoder_attn.v_proj"},
                             {"cross.o", "layers.{}.encoder_attn.out_proj"},
                             {"fc1", "layers.{}.fc1"},
                             {"fc2", "layers.{}.fc2"},
                             {"ln2", "layers.{}.final_layer_norm"}};

/// An extent that both stacks must share.
std::int64_t sharedExtent(const ConfigReader& json, const char* encoder, const char* decoder)
{
    const std::int64_t extent = json.integer(encoder);
    if (json.integer(decoder, extent) != extent)
        json.refuse(decoder, fmt::format("Only {} is supported, the encoder's", extent));
    return extent;
}

ModelConfig readMarian(const ConfigReader& json)
{
    json.requireFlag("share_encoder_decoder_embeddings", true);
    ModelConfig config;
    config.architecture = Architecture::EncoderDecoder;
    config.dModel = json.integer("d_model");
    config.heads = sharedExtent(json, "encoder_attention_heads", "decoder_attention_heads");
    config.dFf = sharedExtent(json, "encoder_ffn_dim", "decoder_ffn_dim");
    config.layers = json.integer("encoder_layers");
    config.decoderLayers = json.integer("decoder_layers", config.layers);
    config.maxLen = json.integer("max_position_embeddings");
    config.positions = Positions::Sinusoidal;
    config.sinusoidalHalves = true;
    config.activation = json.choice("activation_function", "gelu", plainActivations());
    config.normPosition = NormPosition::Post;
    if (json.flag("scale_embedding", false))
        config.embeddingScale = std::sqrt(static_cast<double>(config.dModel));
    config.headBias = true;
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.shareSourceEmbedding = true;
    config.dropout = json.number("dropout", 0.1);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    return config;
}

void describeMarian(const WeightContext& context, StoredWeight& weight)
{
    const ParameterName& name = context.name;
    if (name.part == "tok_emb")
        weight.names = {"shared.weight", "decoder.embed_tokens.weight",
                        "encoder.embed_tokens.weight"};
    else if (name.part == "head" && name.kind == "weight")
        weight.names = {"lm_head.weight"};
    else if (name.part == "head") { // stored as [1, vocabulary]
        weight.names = {"final_logits_bias"};
        weight.slices = 1;
    } else
        weight.names.front().insert(0, name.stack == "enc" ? "encoder." : "decoder.");
}

bool isRedundantInMarian(const ModelConfig& config, std::string_view name)
{
    return name.ends_with("embed_tokens.weight") || name.ends_with("embed_positions.weight") ||
           (config.tieEmbeddings && name == "lm_head.weight");
}

} // namespace

const HuggingFaceFamily kMarianFamily{
    .modelType = "marian",
    .prefix = "model.",
    .readConfig = readMarian,
    .names = kMarianNames,
    .describe = describeMarian,
    .isRedundant = isRedundantInMarian,
    .typical = R"({"scale_embedding": true, "activation_function": "swish"})"};

} // namespace headscope
