#include "core/model/config/model_config_json.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/model/config/config_checks.h"
#include "core/model/config/model_fields.h"
#include "core/model/config/presets.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace headscope {

namespace {

using nlohmann::json;

class KeyCollector
{
public:
    template<class... Field>
    void operator()(const char* key, const Field&...)
    {
        keys.emplace_back(key);
    }

    std::vector<std::string> keys;
};

class Writer
{
public:
    template<class Value>
    void operator()(const char* key, const Value& value)
    {
        object[key] = value;
    }

    template<class Value>
    void operator()(const char* key, const std::optional<Value>& value)
    {
        if (value)
            object[key] = *value;
    }

    template<class Enum>
    void operator()(const char* key, Enum value, const Names<Enum>& names)
    {
        for (const auto& [name, candidate] : names)
            if (candidate == value)
                object[key] = name;
    }

    json object = json::object();
};

class Reader
{
public:
    /// Takes the `prefix` of a key in errors: "rope.".
    Reader(const json& object, std::string prefix, const std::string& where)
        : m_object(object)
        , m_prefix(std::move(prefix))
        , m_where(where)
    {
    }

    void requireKnown(const std::vector<std::string>& keys) const
    {
        if (!m_object.is_object())
            throw Error(m_prefix.empty() ? "the model configuration is not a JSON object"
                                         : "\"" + m_prefix.substr(0, m_prefix.size() - 1) +
                                               "\" is not an object",
                        m_where, "Write it as {\"" + keys.front() + "\": ...}");
        refuseUnknownKeys(m_object, keys, m_where);
    }

    bool has(const char* key) const { return m_object.contains(key); }

    const json& at(const char* key) const { return m_object.at(key); }

    void operator()(const char* key, std::int64_t& value) const
    {
        if (!has(key))
            return;
        const bool tooLarge =
            at(key).is_number_unsigned() &&
            at(key).get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
        if (!at(key).is_number_integer() || tooLarge)
            refuse(key, "a whole number");
        value = at(key).get<std::int64_t>();
    }

    void operator()(const char* key, double& value) const
    {
        if (!has(key))
            return;
        if (!at(key).is_number() || !std::isfinite(at(key).get<double>()))
            refuse(key, "a finite number");
        value = at(key).get<double>();
    }

    void operator()(const char* key, bool& value) const
    {
        if (!has(key))
            return;
        if (!at(key).is_boolean())
            refuse(key, "true or false");
        value = at(key).get<bool>();
    }

    void operator()(const char* key, std::vector<double>& values) const
    {
        if (!has(key))
            return;
        values.clear();
        if (!at(key).is_array())
            refuse(key, "a list of finite numbers");
        for (const json& value : at(key)) {
            if (!value.is_number() || !std::isfinite(value.get<double>()))
                refuse(key, "a list of finite numbers");
            values.push_back(value.get<double>());
        }
    }

    /// Lets null reset a preset's value.
    template<class Value>
    void operator()(const char* key, std::optional<Value>& value) const
    {
        if (!has(key))
            return;
        value.reset();
        if (!at(key).is_null())
            (*this)(key, value.emplace());
    }

    template<class Enum>
    void operator()(const char* key, Enum& value, const Names<Enum>& names) const
    {
        if (!has(key))
            return;
        std::vector<std::string> known;
        for (const auto& [name, candidate] : names) {
            known.emplace_back(name);
            if (at(key) == name) {
                value = candidate;
                return;
            }
        }
        refuseChoice(key, known);
    }

    [[noreturn]] void refuse(const char* key, const std::string& wanted) const
    {
        std::string shown = at(key).dump(-1, ' ', true, json::error_handler_t::replace);
        if (shown.size() > 40)
            shown = shown.substr(0, 40) + "...";
        throw Error(fmt::format("\"{}{}\" is {}", m_prefix, key, shown), m_where, "Use " + wanted);
    }

    [[noreturn]] void refuseChoice(const char* key, const std::vector<std::string>& known) const
    {
        std::string wanted;
        if (at(key).is_string())
            wanted = nearestName(at(key).get_ref<const std::string&>(), known);
        if (!wanted.empty())
            refuse(key, "\"" + wanted + "\", the nearest known name");
        for (const std::string& name : known)
            wanted += (wanted.empty() ? "one of \"" : ", \"") + name + "\"";
        refuse(key, wanted);
    }

private:
    const json& m_object;
    std::string m_prefix;
    const std::string& m_where;
};

template<class Visit>
std::vector<std::string> keysOf(Visit visit, std::initializer_list<const char*> more = {})
{
    KeyCollector collector;
    visit(collector);
    collector.keys.insert(collector.keys.end(), more.begin(), more.end());
    return collector.keys;
}

void readRope(const json& object, const std::string& where, RopeSettings& rope)
{
    Reader reader(object, "rope.", where);
    reader.requireKnown(keysOf([&](auto& field) { visitRope(rope, field); }, {"scaling"}));
    visitRope(rope, reader);
    if (!reader.has("scaling"))
        return;
    Reader scaling(reader.at("scaling"), "rope.scaling.", where);
    scaling.requireKnown(keysOf([&](auto& field) { visitScaling(rope, field); }));
    visitScaling(rope, scaling);
}

/// Reads one entry of "layer_settings": the settings of the layers that it lists.
void readLayers(const json& object, const std::string& where, ModelConfig& config,
                std::vector<bool>& seen)
{
    Reader reader(object, "layer_settings.", where);
    LayerSettings settings = config.layer(0);
    reader.requireKnown(
        keysOf([&](auto& field) { visitLayer(settings, field); }, {"layers", "rope"}));
    settings = {.window = config.window,
                .rope = config.rope,
                .dFf = config.dFf,
                .hasExperts = config.experts.count > 0};
    visitLayer(settings, reader);
    if (reader.has("rope"))
        readRope(reader.at("rope"), where, settings.rope);
    if (!reader.has("layers") || !reader.at("layers").is_array())
        throw Error("\"layer_settings\" does not say which layers it describes", where,
                    "Add \"layers\" with a list of numbers from 0");
    for (const json& index : reader.at("layers")) {
        const bool known = index.is_number_integer() && index >= 0 &&
                           index < static_cast<std::int64_t>(seen.size()) &&
                           !seen[index.get<std::size_t>()];
        if (!known)
            reader.refuse("layers", fmt::format("each number from 0 to {} at most once",
                                                static_cast<std::int64_t>(seen.size()) - 1));
        seen[index.get<std::size_t>()] = true;
        config.layerSettings[index.get<std::size_t>()] = settings;
    }
}

/// Layers that no entry lists are as the model says.
void readLayerSettings(const json& list, const std::string& where, ModelConfig& config)
{
    if (!list.is_array())
        throw Error("\"layer_settings\" is not a list", where, "Write it as [{\"layers\": ...}]");
    checkRange("n_layers", config.layers, 0, kMaxLayers);
    const LayerSettings common = ModelConfig(config).layer(0);
    config.layerSettings.assign(static_cast<std::size_t>(config.layers), common);
    std::vector<bool> seen(config.layerSettings.size());
    for (const json& entry : list)
        readLayers(entry, where, config, seen);
    if (std::ranges::all_of(config.layerSettings,
                            [&](const LayerSettings& layer) { return layer == common; }))
        config.layerSettings.clear(); // one representation, so that equal models compare equal
}

void readLatent(const json& object, const std::string& where, LatentSettings& latent)
{
    Reader reader(object, "mla.", where);
    reader.requireKnown(keysOf([&](auto& field) { visitLatent(latent, field); }));
    visitLatent(latent, reader);
}

void readExperts(const json& object, const std::string& where, ExpertSettings& experts)
{
    Reader reader(object, "experts.", where);
    reader.requireKnown(keysOf([&](auto& field) { visitExperts(experts, field); }));
    visitExperts(experts, reader);
}

Attention attentionOf(const ModelConfig& config)
{
    if (config.isLatent())
        return Attention::Latent;
    if (config.keyHeadCount() == config.heads)
        return Attention::MultiHead;
    return config.keyHeads == 1 ? Attention::MultiQuery : Attention::GroupedQuery;
}

/// Lets "attention" override the preset.
void takeKind(const Reader& reader, Attention kind, ModelConfig& config)
{
    if (kind == Attention::Latent && !config.isLatent())
        reader.refuse(reader.has("mla") ? "mla" : "attention",
                      "a \"kv_rank\" among the settings of \"mla\"");
    if (kind != Attention::Latent && reader.has("mla"))
        reader.refuse("attention", "\"mla\", or leave out its settings");
    if (kind != Attention::Latent)
        config.latent = {};
    if (kind != Attention::GroupedQuery)
        config.keyHeads = kind == Attention::MultiQuery ? 1 : 0;
    else if (config.keyHeads == 0 && !reader.has("n_kv_heads"))
        reader.refuse("attention", "\"n_kv_heads\" with it, a divisor of n_heads");
}

void readAttention(const Reader& reader, const std::string& where, ModelConfig& config)
{
    if (reader.has("mla"))
        readLatent(reader.at("mla"), where, config.latent);
    Attention kind = reader.has("mla") ? Attention::Latent : Attention::GroupedQuery;
    reader("attention", kind, kAttentions);
    if (reader.has("attention") || reader.has("mla"))
        takeKind(reader, kind, config);
    const std::int64_t expected = config.keyHeadCount();
    reader("n_kv_heads", config.keyHeads);
    if (kind != Attention::GroupedQuery && config.keyHeadCount() != expected)
        reader.refuse("n_kv_heads", fmt::format("{}, or the attention \"gqa\"", expected));
    if (config.keyHeads == config.heads)
        config.keyHeads = 0; // one representation, so that equal models compare equal
}

void readResidual(const Reader& reader, ModelConfig& config)
{
    bool isOn = config.hasResidual();
    bool isParallel = config.isParallel();
    reader("residual", isOn);
    reader("parallel_residual", isParallel);
    if (!isOn && isParallel && reader.has("parallel_residual"))
        reader.refuse("parallel_residual", "false: \"residual\" is false");
    config.residual = !isOn        ? Residual::None
                      : isParallel ? Residual::Parallel
                                   : Residual::Sequential;
}

/// Sets sizes that follow d_model where only d_model was given.
void followWidth(const Reader& reader, const ModelConfig& start, ModelConfig& config)
{
    const auto width = static_cast<double>(config.dModel);
    const auto startWidth = static_cast<double>(start.dModel);
    if (!reader.has("d_ff") && config.dModel > 0 && config.dModel < 1 << 20)
        config.dFf = config.dModel * start.dFf / start.dModel;
    if (!reader.has("embedding_scale") && start.embeddingScale == std::sqrt(startWidth))
        config.embeddingScale = std::sqrt(width);
    if (!reader.has("head_scale") && start.headScale == 1.0 / std::sqrt(startWidth))
        config.headScale = 1.0 / std::sqrt(width);
}

/// Reads a number, or a word for one derived from d_model.
void readScale(const Reader& reader, const char* key, std::pair<const char*, double> word,
               double& scale)
{
    if (!reader.has(key))
        return;
    if (reader.at(key) == word.first)
        scale = word.second;
    else if (reader.at(key).is_string())
        reader.refuseChoice(key, {word.first});
    else
        reader(key, scale);
}

void readScales(const Reader& reader, ModelConfig& config)
{
    const double root = std::sqrt(static_cast<double>(config.dModel));
    readScale(reader, "embedding_scale", {"sqrt", root}, config.embeddingScale);
    readScale(reader, "head_scale", {"inverse_sqrt", 1.0 / root}, config.headScale);
}

ModelConfig presetOf(const Reader& reader)
{
    if (!reader.has("preset"))
        return {};
    const json& name = reader.at("preset");
    for (const std::string& known : presetNames())
        if (name == known)
            return presetConfig(known);
    reader.refuseChoice("preset", presetNames());
}

json ropeJson(const RopeSettings& settings)
{
    Writer scaling;
    visitScaling(settings, scaling);
    Writer rope;
    visitRope(settings, rope);
    rope("scaling", scaling.object);
    return rope.object;
}

/// One entry for all layers that are alike; what the model says of all is left out.
json layerSettingsJson(const ModelConfig& config)
{
    ModelConfig plain = config;
    plain.layerSettings.clear();
    const LayerSettings common = plain.layer(0);
    json list = json::array();
    std::vector<LayerSettings> written{common};
    for (const LayerSettings& settings : config.layerSettings) {
        if (std::ranges::find(written, settings) != written.end())
            continue;
        written.push_back(settings);
        Writer entry;
        visitLayer(settings, entry);
        Writer usual;
        visitLayer(common, usual);
        json changed = json::object();
        for (const auto& [key, value] : entry.object.items())
            if (!usual.object.contains(key) || usual.object.at(key) != value)
                changed[key] = value;
        if (common.window && !settings.window)
            changed["window"] = nullptr;
        if (settings.rope != common.rope)
            changed["rope"] = ropeJson(settings.rope);
        for (std::size_t layer = 0; layer < config.layerSettings.size(); ++layer)
            if (config.layerSettings[layer] == settings)
                changed["layers"].push_back(layer);
        list.push_back(changed);
    }
    return list;
}

/// All fields of the configuration, under their names in the file.
json allFields(const ModelConfig& config)
{
    Writer all;
    visitConfig(config, all);
    all("attention", attentionOf(config), kAttentions);
    all("n_kv_heads", config.keyHeadCount());
    all("residual", config.hasResidual());
    all("parallel_residual", config.isParallel());
    all("embedding_scale", config.embeddingScale);
    all("head_scale", config.headScale);
    Writer latent;
    visitLatent(config.latent, latent);
    Writer experts;
    visitExperts(config.experts, experts);
    all("rope", ropeJson(config.rope));
    if (!config.layerSettings.empty())
        all("layer_settings", layerSettingsJson(config));
    all("mla", latent.object);
    all("experts", experts.object);
    return all.object;
}

/// Always written. Of the others, those that differ from their defaults, which never change: older
/// files mean the same.
const std::vector<std::string> kAlwaysWritten{
    "architecture", "vocab_size", "d_model",         "n_heads",   "n_kv_heads",
    "n_layers",     "d_ff",       "max_len",         "positions", "sinusoidal_base",
    "activation",   "dropout",    "tie_embeddings",  "norm",      "norm_position",
    "norm_epsilon", "attention",  "embedding_scale", "init_from", "init_std"};

} // namespace

ModelConfig modelConfigFromJson(const json& object, const std::string& where)
{
    Reader reader(object, "", where);
    ModelConfig config;
    reader.requireKnown(
        keysOf([&](auto& field) { visitConfig(config, field); },
               {"n_kv_heads", "attention", "mla", "rope", "layer_settings", "experts",
                "embedding_scale", "head_scale", "preset", "residual", "parallel_residual"}));
    const ModelConfig start = presetOf(reader);
    config = start;
    visitConfig(config, reader);
    readResidual(reader, config);
    readAttention(reader, where, config);
    if (reader.has("rope"))
        readRope(reader.at("rope"), where, config.rope);
    if (reader.has("experts"))
        readExperts(reader.at("experts"), where, config.experts);
    followWidth(reader, start, config);
    if (reader.has("layer_settings"))
        readLayerSettings(reader.at("layer_settings"), where, config);
    readScales(reader, config);
    ModelConfig checked = config;
    if (!reader.has("vocab_size") && config.vocabularySize == 0)
        checked.vocabularySize = 1;
    try {
        checked.validate();
    } catch (const Error& error) {
        throw Error(error.problem(), where, error.advice());
    }
    return config;
}

json toJson(const ModelConfig& config)
{
    json object = allFields(config);
    const json defaults = allFields(ModelConfig{});
    for (const auto& [key, value] : defaults.items())
        if (object.contains(key) && object.at(key) == value &&
            std::find(kAlwaysWritten.begin(), kAlwaysWritten.end(), key) == kAlwaysWritten.end())
            object.erase(key);
    return object;
}

} // namespace headscope
