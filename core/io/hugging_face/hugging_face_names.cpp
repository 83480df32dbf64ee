#include "core/io/hugging_face/hugging_face_names.h"

#include "core/base/error.h"
#include "core/model/weights/parameters.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace headscope {

namespace {

/// A parameter's name, split: "dec.3." + "cross.k" + ".weight".
struct Name
{
    std::string stack; ///< Stack "h", "enc", "dec", or empty outside the blocks.
    std::string layer; ///< Layer such as "3".
    std::string part;
    std::string kind; ///< Kind "weight" or "bias".
};

Name split(const std::string& parameter)
{
    Name name;
    const std::size_t last = parameter.rfind('.');
    name.part = parameter.substr(0, last);
    name.kind = parameter.substr(last + 1);
    const std::size_t first = name.part.find('.');
    const std::size_t second = first == std::string::npos ? first : name.part.find('.', first + 1);
    if (second == std::string::npos ||
        !std::isdigit(static_cast<unsigned char>(name.part[first + 1])))
        return name;
    name.stack = name.part.substr(0, first);
    name.layer = name.part.substr(first + 1, second - first - 1);
    name.part = name.part.substr(second + 1);
    return name;
}

/// Maps our part names to those of the file. "{}" stands for the layer's number.
using Parts = std::map<std::string, std::string, std::less<>>;

const Parts kGpt2{{"tok_emb", "wte"},
                  {"pos_emb", "wpe"},
                  {"ln1", "h.{}.ln_1"},
                  {"attn.q", "h.{}.attn.c_attn"},
                  {"attn.k", "h.{}.attn.c_attn"},
                  {"attn.v", "h.{}.attn.c_attn"},
                  {"attn.o", "h.{}.attn.c_proj"},
                  {"ln2", "h.{}.ln_2"},
                  {"fc1", "h.{}.mlp.c_fc"},
                  {"fc2", "h.{}.mlp.c_proj"},
                  {"ln_f", "ln_f"},
                  {"head", "lm_head"}};

const Parts kLlama{{"tok_emb", "embed_tokens"},
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

const Parts kGptNeoX{{"tok_emb", "embed_in"},
                     {"ln1", "layers.{}.input_layernorm"},
                     {"attn.q", "layers.{}.attention.query_key_value"},
                     {"attn.k", "layers.{}.attention.query_key_value"},
                     {"attn.v", "layers.{}.attention.query_key_value"},
                     {"attn.o", "layers.{}.attention.dense"},
                     {"ln2", "layers.{}.post_attention_layernorm"},
                     {"fc1", "layers.{}.mlp.dense_h_to_4h"},
                     {"fc2", "layers.{}.mlp.dense_4h_to_h"},
                     {"ln_f", "final_layer_norm"},
                     {"head", "embed_out"}};

const Parts kBloom{{"tok_emb", "word_embeddings"},
                   {"ln_emb", "word_embeddings_layernorm"},
                   {"ln1", "h.{}.input_layernorm"},
                   {"attn.q", "h.{}.self_attention.query_key_value"},
                   {"attn.k", "h.{}.self_attention.query_key_value"},
                   {"attn.v", "h.{}.self_attention.query_key_value"},
                   {"attn.o", "h.{}.self_attention.dense"},
                   {"ln2", "h.{}.post_attention_layernorm"},
                   {"fc1", "h.{}.mlp.dense_h_to_4h"},
                   {"fc2", "h.{}.mlp.dense_4h_to_h"},
                   {"ln_f", "ln_f"},
                   {"head", "lm_head"}};

const Parts kBert{{"tok_emb", "embeddings.word_embeddings"},
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

/// Parts of both stacks, after "encoder." or "decoder.": the feed-forward network is the last
/// sublayer.
const Parts kT5{{"rel_bias", "block.0.layer.0.SelfAttention.relative_attention_bias"},
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
                {"ln_f", "final_layer_norm"}};

struct Family
{
    const Parts* parts;
    std::string_view prefix;
};

const std::map<std::string, Family> kFamilies{
    {"bert", {&kBert, "bert."}},        {"bloom", {&kBloom, "transformer."}},
    {"gpt2", {&kGpt2, "transformer."}}, {"gpt_neox", {&kGptNeoX, "gpt_neox."}},
    {"llama", {&kLlama, "model."}},     {"mistral", {&kLlama, "model."}},
    {"qwen2", {&kLlama, "model."}},     {"t5", {&kT5, ""}}};

const Family& familyOf(const std::string& modelType)
{
    const auto found = kFamilies.find(modelType);
    if (found == kFamilies.end())
        throw Error(fmt::format("the model_type \"{}\"", modelType), "storedWeights");
    return found->second;
}

std::string theirPart(const Parts& parts, const std::string& ours, const std::string& layer)
{
    const auto found = parts.find(ours);
    if (found == parts.end())
        throw Error(fmt::format("no known name for \"{}\"", ours), "storedWeights");
    std::string name = found->second;
    const std::size_t place = name.find("{}");
    return place == std::string::npos ? name : name.replace(place, 2, layer);
}

std::vector<std::string> t5Names(const Name& name)
{
    if (name.part == "tok_emb")
        return {"shared.weight", "decoder.embed_tokens.weight", "encoder.embed_tokens.weight"};
    if (name.part == "head")
        return {"lm_head.weight"};
    const bool encoder = name.stack == "enc" || name.part.starts_with("enc.");
    const std::string stack = encoder ? "encoder." : "decoder.";
    std::string part = name.part;
    if (part.starts_with("enc.") || part.starts_with("dec."))
        part = part.substr(4);
    std::string theirs = theirPart(kT5, part, name.layer);
    if (theirs.starts_with("DenseReluDense") || part == "ln2")
        theirs = fmt::format("block.{}.layer.{}.{}", name.layer, encoder ? 1 : 2, theirs);
    return {stack + theirs + "." + name.kind};
}

std::vector<std::string> namesOf(const Family& family, const Name& name)
{
    if (family.parts == &kT5)
        return t5Names(name);
    const std::string part = theirPart(*family.parts, name.part, name.layer);
    std::vector<std::string> names{part + "." + name.kind};
    if (part.ends_with("LayerNorm")) // TensorFlow's checkpoints
        names.push_back(part + (name.kind == "weight" ? ".gamma" : ".beta"));
    if (family.parts == &kBert && name.part == "head" && name.kind == "bias")
        names.insert(names.begin(), "cls.predictions.bias");
    return names;
}

/// Attention and feed-forward network of these families may have biases or not, independently.
bool isAbsent(const std::string& modelType, const ModelConfig& config, const Name& name)
{
    return (modelType == "llama" || modelType == "gpt_neox") && name.part == "attn.o" &&
           name.kind == "bias" && !config.hasQueryKeyValueBias();
}

bool isOptional(const std::string& modelType, const Name& name)
{
    return modelType == "llama" && name.kind == "bias" &&
           (name.part == "gate" || name.part == "up" || name.part == "down");
}

void describeFusion(const std::string& modelType, const ModelConfig& config, const Name& name,
                    StoredWeight& weight)
{
    const bool linear = name.part.starts_with("attn.") || name.part.starts_with("fc");
    weight.transposed = modelType == "gpt2" && linear && name.kind == "weight";
    const bool perHead = modelType == "gpt_neox" || modelType == "bloom";
    const std::size_t part =
        name.part.size() == 6 ? std::string("qkv").find(name.part.back()) : std::string::npos;
    if ((modelType != "gpt2" && !perHead) || !name.part.starts_with("attn.") ||
        part == std::string::npos)
        return;
    weight.part = static_cast<int>(part);
    weight.parts = 3;
    weight.groups = perHead ? config.heads : 1;
}

} // namespace

std::vector<StoredWeight> storedWeights(const std::string& modelType, const ModelConfig& config)
{
    const Family& family = familyOf(modelType);
    std::vector<StoredWeight> weights;
    for (const ParameterSpec& spec : parameterLayout(config)) {
        const Name name = split(spec.name);
        StoredWeight weight;
        weight.parameter = spec.name;
        if (!isAbsent(modelType, config, name))
            weight.names = namesOf(family, name);
        weight.optional = isOptional(modelType, name);
        describeFusion(modelType, config, name, weight);
        weights.push_back(std::move(weight));
    }
    return weights;
}

std::string_view basePrefix(const std::string& modelType)
{
    return familyOf(modelType).prefix;
}

bool isRedundant(const std::string& modelType, const ModelConfig& config, std::string_view name)
{
    static const std::vector<std::string_view> kBuffers{".attn.bias",
                                                        ".attn.masked_bias",
                                                        ".attention.bias",
                                                        ".attention.masked_bias",
                                                        ".rotary_emb.inv_freq",
                                                        "rotary_emb.inv_freq",
                                                        "embeddings.position_ids"};
    const auto endsWith = [&](std::string_view end) { return name.ends_with(end); };
    if (std::any_of(kBuffers.begin(), kBuffers.end(), endsWith))
        return true;
    if (modelType == "t5")
        return name.ends_with("embed_tokens.weight") ||
               (config.tieEmbeddings && name == "lm_head.weight");
    if (modelType == "bert")
        return (!config.nextSentence && name.starts_with("pooler.")) ||
               name == "cls.predictions.decoder.bias" ||
               (config.tieEmbeddings && name == "cls.predictions.decoder.weight");
    return config.tieEmbeddings && (name == "lm_head.weight" || name == "embed_out.weight");
}

} // namespace headscope
