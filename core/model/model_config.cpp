#include "core/model/model_config.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <utility>

namespace headscope {

namespace {

constexpr std::int64_t kMaxVocabulary = 1 << 24;
constexpr std::int64_t kMaxWidth = 1 << 17;
constexpr std::int64_t kMaxLayers = 1024;
constexpr std::int64_t kMaxPositions = 1 << 20;

/// Parameters, and keys plus values of a full cache: 8 GB of float32 each.
constexpr double kMaxValues = 2147483648.0;

template<class Enum>
using Names = std::vector<std::pair<std::string_view, Enum>>;

const Names<Positions> kPositionNames{{"learned", Positions::Learned},
                                      {"sinusoidal", Positions::Sinusoidal},
                                      {"none", Positions::None}};
const Names<Activation> kActivationNames{{"gelu", Activation::GeluExact},
                                         {"gelu_tanh", Activation::GeluTanh},
                                         {"relu", Activation::Relu}};
const Names<Initialisation> kInitialisationNames{{"normal", Initialisation::Normal},
                                                 {"fan_in", Initialisation::FanIn}};

const std::vector<std::string> kKeys{
    "architecture", "vocab_size", "d_model",         "n_heads",   "n_kv_heads",
    "n_layers",     "d_ff",       "max_len",         "positions", "sinusoidal_base",
    "activation",   "dropout",    "tie_embeddings",  "norm",      "norm_position",
    "norm_epsilon", "attention",  "embedding_scale", "init_from", "init_std"};

void checkRange(const char* field, std::int64_t value, std::int64_t low, std::int64_t high)
{
    if (value < low || value > high)
        throw Error(fmt::format("{} is {}", field, value), "model configuration",
                    fmt::format("Give a whole number from {} to {}", low, high));
}

void checkRange(const char* field, double value, double low, double high)
{
    if (!(value >= low && value <= high))
        throw Error(fmt::format("{} is {}", field, value), "model configuration",
                    fmt::format("Give a number from {} to {}", low, high));
}

/// In double, so that hostile extents cannot overflow before they are refused.
double approximateParameterCount(const ModelConfig& c)
{
    const auto d = static_cast<double>(c.dModel);
    const double block = 4.0 * d * d + 2.0 * d * static_cast<double>(c.dFf);
    const double tables = static_cast<double>(c.vocabularySize) * (c.tieEmbeddings ? 1.0 : 2.0) +
                          (c.positions != Positions::None ? static_cast<double>(c.maxLen) : 0.0);
    return static_cast<double>(c.layers) * block + tables * d;
}

[[noreturn]] void refuse(const std::string& key, const nlohmann::json& value,
                         const std::string& where, const std::string& wanted)
{
    std::string shown = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (shown.size() > 40)
        shown = shown.substr(0, 40) + "...";
    throw Error(fmt::format("\"{}\" is {}", key, shown), where, "Give " + wanted);
}

class Reader
{
public:
    Reader(const nlohmann::json& object, const std::string& where)
        : m_object(object)
        , m_where(where)
    {
        if (!object.is_object())
            throw Error("the model configuration is no JSON object", where,
                        "Write it as {\"d_model\": 256, ...}");
        refuseUnknownKeys(object, kKeys, where);
    }

    bool has(const char* key) const { return m_object.contains(key); }

    void read(const char* key, std::int64_t& value) const
    {
        if (!has(key))
            return;
        const nlohmann::json& json = m_object.at(key);
        const bool tooLarge = json.is_number_unsigned() &&
                              json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
        if (!json.is_number_integer() || tooLarge)
            refuse(key, json, m_where, "a whole number");
        value = json.get<std::int64_t>();
    }

    void read(const char* key, double& value) const
    {
        if (!has(key))
            return;
        const nlohmann::json& json = m_object.at(key);
        if (!json.is_number() || !std::isfinite(json.get<double>()))
            refuse(key, json, m_where, "a finite number");
        value = json.get<double>();
    }

    void read(const char* key, bool& value) const
    {
        if (!has(key))
            return;
        const nlohmann::json& json = m_object.at(key);
        if (!json.is_boolean())
            refuse(key, json, m_where, "true or false");
        value = json.get<bool>();
    }

    template<class Enum>
    void read(const char* key, Enum& value, const Names<Enum>& names) const
    {
        if (!has(key))
            return;
        std::vector<std::string> known;
        for (const auto& [name, candidate] : names) {
            known.emplace_back(name);
            if (m_object.at(key) == name) {
                value = candidate;
                return;
            }
        }
        refuseChoice(key, known);
    }

    void require(const char* key, const char* only) const
    {
        if (has(key) && m_object.at(key) != only)
            refuseChoice(key, {only});
    }

private:
    [[noreturn]] void refuseChoice(const char* key, const std::vector<std::string>& known) const
    {
        const nlohmann::json& json = m_object.at(key);
        std::string wanted;
        if (json.is_string())
            wanted = nearestName(json.get_ref<const std::string&>(), known);
        if (!wanted.empty())
            refuse(key, json, m_where, "\"" + wanted + "\", the nearest known name");
        for (const std::string& name : known)
            wanted += (wanted.empty() ? "\"" : ", \"") + name + "\"";
        refuse(key, json, m_where, (known.size() > 1 ? "one of " : "") + wanted);
    }

    const nlohmann::json& m_object;
    const std::string& m_where;
};

void readShape(const Reader& reader, const nlohmann::json& json, const std::string& where,
               ModelConfig& config)
{
    reader.read("vocab_size", config.vocabularySize);
    reader.read("d_model", config.dModel);
    reader.read("n_heads", config.heads);
    reader.read("n_layers", config.layers);
    reader.read("max_len", config.maxLen);
    std::int64_t keyHeads = config.heads;
    reader.read("n_kv_heads", keyHeads);
    if (keyHeads != config.heads)
        refuse("n_kv_heads", json.at("n_kv_heads"), where,
               fmt::format("{}, the same number as n_heads", config.heads));
    if (reader.has("d_ff"))
        reader.read("d_ff", config.dFf);
    else if (config.dModel > 0 && config.dModel <= kMaxWidth)
        config.dFf = 4 * config.dModel;
}

template<class Enum>
std::string nameOf(Enum value, const Names<Enum>& names)
{
    for (const auto& [name, candidate] : names)
        if (candidate == value)
            return std::string(name);
    throw Error("an unknown enumerator", "model configuration");
}

} // namespace

void ModelConfig::validate() const
{
    checkRange("vocab_size", vocabularySize, 1, kMaxVocabulary);
    checkRange("d_model", dModel, 1, kMaxWidth);
    checkRange("n_heads", heads, 1, dModel);
    checkRange("n_layers", layers, 0, kMaxLayers);
    checkRange("d_ff", dFf, 0, 16 * kMaxWidth);
    checkRange("max_len", maxLen, 1, kMaxPositions);
    checkRange("sinusoidal_base", sinusoidalBase, 1.001, 1e12);
    checkRange("norm_epsilon", normEpsilon, 1e-30, 1.0);
    checkRange("dropout", dropout, 0.0, 0.99);
    checkRange("embedding_scale", embeddingScale, -1e6, 1e6);
    checkRange("init_std", initStd, 0.0, 100.0);
    if (dModel % heads != 0)
        throw Error(fmt::format("d_model is {} and n_heads is {}", dModel, heads),
                    "model configuration", "Let n_heads divide d_model");
    if (positions == Positions::Sinusoidal && dModel % 2 != 0)
        throw Error(fmt::format("d_model is {} with sinusoidal positions", dModel),
                    "model configuration", "Give an even d_model");
    if (approximateParameterCount(*this) > kMaxValues)
        throw Error(
            fmt::format("the model has about {:.3g} parameters", approximateParameterCount(*this)),
            "model configuration", fmt::format("Stay below {:.3g}", kMaxValues));
    const double cached = 2.0 * static_cast<double>(layers) * static_cast<double>(maxLen) *
                          static_cast<double>(dModel);
    if (cached > kMaxValues)
        throw Error(
            fmt::format("keys and values of {} positions are {:.3g} numbers", maxLen, cached),
            "model configuration", "Give a smaller max_len");
}

ModelConfig modelConfigFromJson(const nlohmann::json& json, const std::string& where)
{
    const Reader reader(json, where);
    ModelConfig config;
    reader.require("architecture", "gpt");
    reader.require("norm", "layer");
    reader.require("norm_position", "pre");
    reader.require("attention", "mha");
    readShape(reader, json, where, config);
    reader.read("positions", config.positions, kPositionNames);
    reader.read("sinusoidal_base", config.sinusoidalBase);
    reader.read("activation", config.activation, kActivationNames);
    reader.read("norm_epsilon", config.normEpsilon);
    reader.read("dropout", config.dropout);
    reader.read("tie_embeddings", config.tieEmbeddings);
    reader.read("embedding_scale", config.embeddingScale);
    reader.read("init_from", config.initialisation, kInitialisationNames);
    reader.read("init_std", config.initStd);
    ModelConfig checked = config;
    if (!reader.has("vocab_size"))
        checked.vocabularySize = 1;
    try {
        checked.validate();
    } catch (const Error& error) {
        throw Error(error.problem(), where, error.advice());
    }
    return config;
}

nlohmann::json toJson(const ModelConfig& config)
{
    return {{"architecture", "gpt"},
            {"vocab_size", config.vocabularySize},
            {"d_model", config.dModel},
            {"n_heads", config.heads},
            {"n_kv_heads", config.heads},
            {"n_layers", config.layers},
            {"d_ff", config.dFf},
            {"max_len", config.maxLen},
            {"positions", nameOf(config.positions, kPositionNames)},
            {"sinusoidal_base", config.sinusoidalBase},
            {"activation", nameOf(config.activation, kActivationNames)},
            {"norm", "layer"},
            {"norm_position", "pre"},
            {"norm_epsilon", config.normEpsilon},
            {"attention", "mha"},
            {"dropout", config.dropout},
            {"tie_embeddings", config.tieEmbeddings},
            {"embedding_scale", config.embeddingScale},
            {"init_from", nameOf(config.initialisation, kInitialisationNames)},
            {"init_std", config.initStd}};
}

} // namespace headscope
