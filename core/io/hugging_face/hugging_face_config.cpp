#include "core/io/hugging_face/hugging_face_config.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace headscope {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kBloomMaxLen = 2048;
constexpr std::int64_t kT5MaxLen = 512;
constexpr double kMaxInteger = 1e12; ///< Far above every extent, and products cannot overflow.

/// One object of config.json. A key that is null counts as absent.
class Reader
{
public:
    Reader(const Json& object, const std::set<std::string>& tensors, std::string where)
        : m_object(object)
        , m_tensors(tensors)
        , m_where(std::move(where))
    {
        if (!object.is_object())
            throw FormatError("not a JSON object", m_where);
    }

    bool has(const char* key) const { return m_object.contains(key) && !m_object[key].is_null(); }

    bool hasTensor(const std::string& end) const
    {
        for (const std::string& name : m_tensors)
            if (name.ends_with(end))
                return true;
        return false;
    }

    std::int64_t integer(const char* key, std::optional<std::int64_t> otherwise = {}) const
    {
        if (!isThere(key, otherwise.has_value()))
            return *otherwise;
        if (!m_object[key].is_number_integer())
            refuse(key, "Use a whole number");
        if (std::abs(m_object[key].get<double>()) > kMaxInteger)
            refuse(key, "Use a smaller number");
        return m_object[key].get<std::int64_t>();
    }

    double number(const char* key, std::optional<double> otherwise = {}) const
    {
        if (!isThere(key, otherwise.has_value()))
            return *otherwise;
        if (!m_object[key].is_number())
            refuse(key, "Use a number");
        return m_object[key].get<double>();
    }

    bool flag(const char* key, bool otherwise) const
    {
        if (!isThere(key, true))
            return otherwise;
        if (!m_object[key].is_boolean())
            refuse(key, "Use true or false");
        return m_object[key].get<bool>();
    }

    std::string text(const char* key, const std::string& otherwise) const
    {
        if (!isThere(key, true))
            return otherwise;
        if (!m_object[key].is_string())
            refuse(key, "Use a string");
        return m_object[key].get<std::string>();
    }

    /// Finds the value of a name; rejects other names.
    template<class Value>
    Value choice(const char* key, const std::string& otherwise,
                 const std::map<std::string, Value>& known) const
    {
        const auto found = known.find(text(key, otherwise));
        if (found != known.end())
            return found->second;
        std::string names;
        for (const auto& [name, value] : known)
            names += (names.empty() ? "\"" : ", \"") + name + "\"";
        refuse(key, "Supported: " + names);
    }

    void requireFlag(const char* key, bool only) const
    {
        if (flag(key, only) != only)
            refuse(key, fmt::format("Only {} is supported", only));
    }

    Reader object(const char* key) const
    {
        return {m_object[key], m_tensors, m_where + ", " + key};
    }

    const Json& value(const char* key) const { return m_object[key]; }

    [[noreturn]] void refuse(const char* key, const std::string& advice) const
    {
        throw FormatError(fmt::format("\"{}\" is {}", key, shown(key)), m_where, std::nullopt,
                          advice);
    }

private:
    std::string shown(const char* key) const
    {
        if (!has(key))
            return "missing";
        if (m_object[key].is_string())
            return inQuotes(m_object[key].get<std::string>());
        const std::string quoted = inQuotes(dumpJson(m_object[key]));
        return quoted.substr(1, quoted.size() - 2);
    }

    bool isThere(const char* key, bool optional) const
    {
        if (!has(key) && !optional)
            refuse(key, "Choose the whole folder as transformers saved it");
        return has(key);
    }

    const Json& m_object;
    const std::set<std::string>& m_tensors;
    std::string m_where;
};

const std::map<std::string, Activation> kActivations{{"gelu", Activation::GeluExact},
                                                     {"gelu_new", Activation::GeluTanh},
                                                     {"gelu_fast", Activation::GeluTanh},
                                                     {"gelu_pytorch_tanh", Activation::GeluTanh},
                                                     {"relu", Activation::Relu}};
const std::map<std::string, Activation> kGates{{"silu", Activation::SwiGlu},
                                               {"swish", Activation::SwiGlu},
                                               {"gelu_new", Activation::GeGlu},
                                               {"gelu_pytorch_tanh", Activation::GeGlu}};

ModelConfig readGpt2(const Reader& json)
{
    json.requireFlag("scale_attn_by_inverse_layer_idx", false);
    json.requireFlag("add_cross_attention", false);
    ModelConfig config;
    config.dModel = json.integer("n_embd");
    config.heads = json.integer("n_head");
    config.layers = json.integer("n_layer");
    config.dFf = json.integer("n_inner", 4 * config.dModel);
    config.maxLen = json.integer("n_positions");
    config.activation = json.choice("activation_function", "gelu_new", kActivations);
    config.normEpsilon = json.number("layer_norm_epsilon", 1e-5);
    config.scaleScores = json.flag("scale_attn_weights", true);
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("resid_pdrop", 0.1);
    config.attentionDropout = json.number("attn_pdrop", 0.1);
    config.embeddingDropout = json.number("embd_pdrop", 0.1);
    return config;
}

using Scaling = RopeSettings::Scaling;

const std::map<std::string, Scaling> kScalings{{"default", Scaling::None},
                                               {"linear", Scaling::Linear},
                                               {"dynamic", Scaling::Dynamic},
                                               {"yarn", Scaling::Yarn},
                                               {"llama3", Scaling::Llama3}};

void readRopeScaling(const Reader& json, RopeSettings& rope)
{
    rope.scaling = json.choice(json.has("rope_type") ? "rope_type" : "type", "default", kScalings);
    if (rope.scaling == Scaling::None)
        return;
    for (const char* key : {"mscale", "mscale_all_dim", "truncate"})
        if (json.has(key))
            json.refuse(key, "Only models without it are supported");
    rope.factor = json.number("factor");
    rope.originalMaxLen = json.integer("original_max_position_embeddings", 0);
    rope.lowFrequencyFactor = json.number("low_freq_factor", rope.lowFrequencyFactor);
    rope.highFrequencyFactor = json.number("high_freq_factor", rope.highFrequencyFactor);
    rope.betaFast = json.number("beta_fast", rope.betaFast);
    rope.betaSlow = json.number("beta_slow", rope.betaSlow);
    rope.attentionFactor = json.number("attention_factor", 0.0);
}

/// Reads "rope_parameters" of transformers 5, or the keys that it replaced. Returns the fraction of
/// a head's channels that are rotated.
double readRope(const Reader& json, const char* oldTheta, double fraction, ModelConfig& config)
{
    config.positions = Positions::Rope;
    config.rope.layout = RopeSettings::Layout::Half;
    config.rope.theta = json.number(oldTheta, 10000.0);
    if (json.has("rope_scaling"))
        readRopeScaling(json.object("rope_scaling"), config.rope);
    if (!json.has("rope_parameters"))
        return fraction;
    const Reader rope = json.object("rope_parameters");
    config.rope.theta = rope.number("rope_theta", config.rope.theta);
    readRopeScaling(rope, config.rope);
    return rope.number("partial_rotary_factor", fraction);
}

/// Settings shared by the families after Llama.
ModelConfig readGatedDecoder(const Reader& json, std::int64_t keyHeads)
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
    config.activation = json.choice("hidden_act", "silu", kGates);
    config.norm = Norm::Rms;
    config.normEpsilon = json.number("rms_norm_eps", 1e-6);
    config.bias = false;
    config.tieEmbeddings = json.flag("tie_word_embeddings", false);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    if (readRope(json, "rope_theta", 1.0, config) != 1.0)
        json.refuse("rope_parameters", "Only a partial_rotary_factor of 1 is supported");
    return config;
}

ModelConfig readLlama(const Reader& json)
{
    ModelConfig config = readGatedDecoder(json, 0);
    const bool attentionBias = json.flag("attention_bias", false);
    config.bias = attentionBias || json.flag("mlp_bias", false);
    config.queryKeyValueBias = attentionBias;
    return config;
}

ModelConfig readMistral(const Reader& json)
{
    ModelConfig config = readGatedDecoder(json, 8);
    if (json.has("sliding_window"))
        config.window = json.integer("sliding_window");
    return config;
}

ModelConfig readQwen2(const Reader& json)
{
    ModelConfig config = readGatedDecoder(json, 32);
    config.queryKeyValueBias = true;
    if (!json.flag("use_sliding_window", false) || !json.has("sliding_window"))
        return config;
    const std::int64_t first = json.integer("max_window_layers", 28);
    if (first > 0 && first < config.layers)
        json.refuse("max_window_layers", "Only one kind of attention in all layers is supported");
    if (first <= 0)
        config.window = json.integer("sliding_window");
    return config;
}

ModelConfig readGptNeoX(const Reader& json)
{
    ModelConfig config;
    config.dModel = json.integer("hidden_size");
    config.heads = json.integer("num_attention_heads");
    config.layers = json.integer("num_hidden_layers");
    config.dFf = json.integer("intermediate_size");
    config.maxLen = json.integer("max_position_embeddings");
    config.activation = json.choice("hidden_act", "gelu", kActivations);
    config.normEpsilon = json.number("layer_norm_eps", 1e-5);
    config.residual =
        json.flag("use_parallel_residual", true) ? Residual::Parallel : Residual::Sequential;
    config.queryKeyValueBias = json.flag("attention_bias", true);
    config.tieEmbeddings = json.flag("tie_word_embeddings", false);
    config.dropout = json.number("hidden_dropout", 0.0);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    const double fraction =
        readRope(json, json.has("rotary_emb_base") ? "rotary_emb_base" : "rope_theta",
                 json.number("rotary_pct", 0.25), config);
    if (!(fraction > 0.0 && fraction <= 1.0))
        json.refuse(json.has("rope_parameters") ? "rope_parameters" : "rotary_pct",
                    "The rotated fraction of a head is above 0 and at most 1");
    if (config.heads > 0)
        config.rope.dimensions =
            static_cast<std::int64_t>(static_cast<double>(config.headDim()) * fraction);
    return config;
}

ModelConfig readBloom(const Reader& json)
{
    json.requireFlag("apply_residual_connection_post_layernorm", false);
    ModelConfig config;
    config.dModel = json.integer(json.has("n_embed") ? "n_embed" : "hidden_size");
    config.heads = json.integer(json.has("num_attention_heads") ? "num_attention_heads" : "n_head");
    config.layers = json.integer(json.has("num_hidden_layers") ? "num_hidden_layers" : "n_layer");
    config.dFf = 4 * config.dModel;
    config.maxLen = json.integer("seq_length", kBloomMaxLen);
    config.positions = Positions::Alibi;
    config.activation = Activation::GeluTanh;
    config.normEpsilon = json.number("layer_norm_epsilon", 1e-5);
    config.embeddingNorm = true;
    config.tieEmbeddings = json.flag("tie_word_embeddings", true);
    config.dropout = json.number("hidden_dropout", 0.0);
    config.attentionDropout = json.number("attention_dropout", 0.0);
    config.embeddingDropout = 0.0;
    return config;
}

ModelConfig readBert(const Reader& json)
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
    config.activation = json.choice("hidden_act", "gelu", kActivations);
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

const std::map<std::string, Activation> kT5Activations{{"relu", Activation::Relu},
                                                       {"gelu", Activation::GeluExact},
                                                       {"gelu_new", Activation::GeluTanh},
                                                       {"gated-gelu", Activation::GeGlu},
                                                       {"gated-silu", Activation::SwiGlu}};

ModelConfig readT5(const Reader& json)
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

const std::map<std::string, ModelConfig (*)(const Reader&)> kReaders{
    {"bert", readBert},   {"bloom", readBloom},     {"gpt2", readGpt2},   {"gpt_neox", readGptNeoX},
    {"llama", readLlama}, {"mistral", readMistral}, {"qwen2", readQwen2}, {"t5", readT5}};

} // namespace

ModelConfig huggingFaceConfig(const nlohmann::json& config, const std::set<std::string>& tensors,
                              const std::string& where)
{
    const Reader json(config, tensors, where);
    const auto read = json.choice("model_type", "", kReaders);
    if (json.has("quantization_config"))
        json.refuse("quantization_config", "Use weights that are not quantised");
    ModelConfig result = read(json);
    result.vocabularySize = json.integer("vocab_size");
    try {
        result.validate();
    } catch (const FormatError&) {
        throw;
    } catch (const Error& error) {
        throw FormatError(error.problem(), where, std::nullopt, error.advice());
    }
    return result;
}

} // namespace headscope
