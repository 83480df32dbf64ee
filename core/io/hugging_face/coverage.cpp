#include "core/io/hugging_face/coverage.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/gguf/gguf_family.h"
#include "core/io/hugging_face/hugging_face_config.h"
#include "core/io/hugging_face/hugging_face_family.h"
#include "core/model/config/mechanisms.h"

#include <map>

namespace headscope {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kMaxConfigBytes = std::uint64_t{16} << 20;

/// Extents under every family's keys, so that a reader's own defaults show.
constexpr const char* kExtents = R"({
  "vocab_size": 1024, "max_position_embeddings": 32768, "n_positions": 1024,
  "hidden_size": 128, "n_embd": 128, "d_model": 128, "dim": 128,
  "num_attention_heads": 8, "n_head": 8, "n_heads": 8, "num_heads": 8, "d_kv": 16,
  "encoder_attention_heads": 8, "decoder_attention_heads": 8, "num_key_value_heads": 2,
  "num_hidden_layers": 12, "n_layer": 12, "n_layers": 12, "num_layers": 12, "encoder_layers": 6,
  "intermediate_size": 256, "hidden_dim": 256, "ffn_dim": 256, "d_ff": 256,
  "encoder_ffn_dim": 256, "decoder_ffn_dim": 256, "head_dim": 16})";

/// Keys that ask for something that no reader knows, and what that is.
const std::vector<std::pair<const char*, const char*>> kForeignKeys{
    {"auto_map", "code of its own (trust_remote_code)"},
    {"vision_config", "images (vision_config)"},
    {"audio_config", "sound (audio_config)"},
    {"kv_lora_rank", "a reader of latent attention (kv_lora_rank)"},
    {"n_shared_experts", "a reader of shared experts (n_shared_experts)"},
    {"num_shared_experts", "a reader of shared experts (num_shared_experts)"},
    {"shared_expert_intermediate_size", "a reader of shared experts "
                                        "(shared_expert_intermediate_size)"},
    {"shared_intermediate_size", "a reader of shared experts (shared_intermediate_size)"},
    {"topk_group", "routing by groups of experts (topk_group)"},
    {"scoring_func", "a router of its own (scoring_func)"},
    {"num_nextn_predict_layers", "prediction of several tokens (num_nextn_predict_layers)"},
    {"ssm_state_size", "state-space layers (ssm_state_size)"},
    {"state_size", "state-space layers (state_size)"},
    {"mamba_d_state", "state-space layers (mamba_d_state)"},
    {"mamba_expand", "state-space layers (mamba_expand)"},
    {"ssm_cfg", "state-space layers (ssm_cfg)"},
    {"linear_num_key_heads", "linear attention (linear_num_key_heads)"},
    {"conv_L_cache", "convolutions (conv_L_cache)"},
    {"attention_hidden_size", "time mixing without attention (attention_hidden_size)"},
    {"relative_attention", "disentangled relative attention (relative_attention)"},
    {"pos_att_type", "disentangled relative attention (pos_att_type)"},
    {"attention_window", "windows with global tokens (attention_window)"},
    {"altup_num_inputs", "alternating updates (altup_num_inputs)"},
    {"laurel_rank", "learned low-rank residuals (laurel_rank)"},
    {"is_encoder_decoder", "an encoder-decoder of its own (is_encoder_decoder)"},
    {"quantization_config", "quantised weights (quantization_config)"}};

bool asksFor(const Json& config, const char* key)
{
    const auto found = config.find(key);
    if (found == config.end() || found->is_null() || *found == false || *found == 0)
        return false;
    return !(found->is_array() || found->is_object() || found->is_string()) || !found->empty();
}

void addUnknownNames(const Json& config, std::vector<std::string>& missing)
{
    for (const char* key : {"hidden_act", "hidden_activation", "activation_function"})
        if (config.contains(key) && config[key].is_string() &&
            !plainActivations().contains(config[key].get<std::string>()))
            missing.push_back(fmt::format("the activation {} ({})",
                                          inQuotes(config[key].get<std::string>()), key));
    if (!config.contains("layer_types") || !config["layer_types"].is_array())
        return;
    std::set<std::string> types;
    for (const Json& type : config["layer_types"])
        if (type.is_string() && type != "full_attention" && type != "sliding_attention")
            types.insert(type.get<std::string>());
    for (const std::string& type : types)
        missing.push_back(fmt::format("layers of {} (layer_types)", inQuotes(type)));
}

std::vector<std::string> foreignParts(const Json& config)
{
    std::vector<std::string> missing;
    for (const auto& [key, what] : kForeignKeys)
        if (asksFor(config, key))
            missing.emplace_back(what);
    addUnknownNames(config, missing);
    return missing;
}

} // namespace

ModelConfig typicalConfig(const HuggingFaceFamily& family)
{
    Json config = Json::parse(kExtents);
    config.update(Json::parse(family.typical));
    config["model_type"] = family.modelType;
    return huggingFaceConfig(config, {}, std::string(family.modelType));
}

std::vector<ArchitectureCoverage> architectureCoverage()
{
    std::map<std::string, ArchitectureCoverage> known;
    for (const HuggingFaceFamily* family : huggingFaceFamilies()) {
        ArchitectureCoverage& entry = known[std::string(family->modelType)];
        entry.huggingFace = true;
        entry.mechanisms = mechanismsOf(typicalConfig(*family));
    }
    for (const GgufFamily* family : ggufFamilies())
        known[std::string(family->modelType)].gguf = true;
    std::vector<ArchitectureCoverage> result;
    for (auto& [name, entry] : known) {
        entry.architecture = name;
        result.push_back(std::move(entry));
    }
    return result;
}

ConfigCoverage configCoverage(const fs::path& path)
{
    std::error_code ignored;
    const fs::path file = fs::is_directory(path, ignored) ? path / "config.json" : path;
    const Json config = parseJson(readFile(file, kMaxConfigBytes), file.string());
    if (!config.is_object())
        throw FormatError("not a JSON object", file.string());
    ConfigCoverage result;
    if (config.contains("model_type") && config["model_type"].is_string())
        result.architecture = config["model_type"].get<std::string>();
    if (findHuggingFaceFamily(result.architecture) == nullptr) {
        result.missing = foreignParts(config);
        result.missing.insert(
            result.missing.begin(),
            result.architecture.empty()
                ? std::string("a model_type")
                : fmt::format("a reader of {} models", inQuotes(result.architecture)));
        return result;
    }
    try {
        result.mechanisms = mechanismsOf(huggingFaceConfig(config, {}, file.string()));
    } catch (const FormatError& error) {
        result.missing = {fmt::format("{}. {}", error.problem(), error.advice())};
    }
    return result;
}

} // namespace headscope
