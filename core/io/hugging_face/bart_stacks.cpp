#include "core/io/hugging_face/bart_stacks.h"

#include <cmath>

namespace headscope {

namespace {

/// An extent that both stacks must share.
std::int64_t sharedExtent(const ConfigReader& json, const char* encoder, const char* decoder)
{
    const std::int64_t extent = json.integer(encoder);
    if (json.integer(decoder, extent) != extent)
        json.refuse(decoder, fmt::format("Only {} is supported, the encoder's", extent));
    return extent;
}

/// "encoder." or "decoder.", whose final norm has no prefix here.
std::string stackOf(const ParameterName& name)
{
    return name.stack == "enc" || name.part.starts_with("enc.") ? "encoder." : "decoder.";
}

std::vector<std::string> namesOf(const WeightContext& context)
{
    ParameterName name = context.name;
    const std::string stack = stackOf(name);
    if (name.part == "tok_emb")
        return {"shared.weight", "decoder.embed_tokens.weight", "encoder.embed_tokens.weight"};
    if (name.part == "head")
        return {name.kind == "weight" ? "lm_head.weight" : "final_logits_bias"};
    if (name.part.starts_with("enc.") || name.part.starts_with("dec."))
        name.part = name.part.substr(4);
    static const PartNames kNames = bartStackNames();
    return {stack + storedPart(kNames, name) + "." + name.kind};
}

} // namespace

ModelConfig readBartStacks(const ConfigReader& json)
{
    ModelConfig config;
    config.architecture = Architecture::EncoderDecoder;
    config.dModel = json.integer("d_model");
    config.heads = sharedExtent(json, "encoder_attention_heads", "decoder_attention_heads");
    config.dFf = sharedExtent(json, "encoder_ffn_dim", "decoder_ffn_dim");
    config.layers = json.integer("encoder_layers");
    config.decoderLayers = json.integer("decoder_layers", config.layers);
    config.maxLen = json.integer("max_position_embeddings");
    config.activation = json.choice("activation_function", "gelu", plainActivations());
    if (json.flag("scale_embedding", false))
        config.embeddingScale = std::sqrt(static_cast<double>(config.dModel));
    config.headBias = true;
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.shareSourceEmbedding = true;
    config.dropout = json.number("dropout", 0.1);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    return config;
}

PartNames bartStackNames()
{
    return {{"pos_emb", "embed_positions"},
            {"ln_emb", "layernorm_embedding"},
            {"ln1", "layers.{}.self_attn_layer_norm"},
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
            {"ln2", "layers.{}.final_layer_norm"},
            {"ln_f", "layer_norm"},
            {"head", "lm_head"}};
}

void describeBartStack(const WeightContext& context, StoredWeight& weight)
{
    weight.names = namesOf(context);
    if (context.name.part == "head" && context.name.kind == "bias")
        weight.slices = 1; // stored as [1, vocabulary]
}

bool isRedundantInBartStacks(const ModelConfig&, std::string_view name)
{
    return name.ends_with("embed_tokens.weight") || name == "encoder.version" ||
           name == "decoder.version";
}

} // namespace headscope
