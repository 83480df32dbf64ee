#include "core/io/adapters/peft_adapter.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/safetensors/safetensors_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>

namespace headscope {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kMostJsonBytes = std::uint64_t{1} << 24;
constexpr std::string_view kPrefix = "base_model.model.";

/// Settings of adapter_config.json.
class PeftConfig
{
public:
    explicit PeftConfig(const fs::path& path) : m_path(path.string())
    {
        m_json = parseJson(readFile(path, kMostJsonBytes), m_path);
        if (!m_json.is_object())
            throw FormatError("not a JSON object", m_path);
        requireLora();
        m_rank = positive(at("r"), "r");
        m_alpha = number(at("lora_alpha"), "lora_alpha");
        m_isStabilised = flag("use_rslora");
        flag("fan_in_fan_out");
        readPattern("rank_pattern", m_ranks);
        readPattern("alpha_pattern", m_alphas);
        for (const auto& [module, rank] : m_ranks)
            if (rank < 1.0 || rank != std::floor(rank))
                refuse("rank_pattern", "Give whole numbers from 1 on");
    }

    /// Rank of a module. Patterns name a module or its last parts.
    double rankOf(const std::string& module) const { return valueOf(m_ranks, module, m_rank); }

    double scaleOf(const std::string& module) const
    {
        const double rank = rankOf(module);
        return valueOf(m_alphas, module, m_alpha) / (m_isStabilised ? std::sqrt(rank) : rank);
    }

private:
    using Pattern = std::map<std::string, double>;

    [[noreturn]] void refuse(const std::string& key, const std::string& advice) const
    {
        const auto found = m_json.find(key);
        const std::string value = found == m_json.end() ? "missing" : inQuotes(dumpJson(*found));
        throw FormatError(fmt::format("the adapter's {} is {}", key, value), m_path, std::nullopt,
                          advice);
    }

    void requireLora() const
    {
        const auto type = m_json.find("peft_type");
        if (type == m_json.end() || *type != "LORA")
            refuse("peft_type", "Only LoRA adapters are applied");
        if (flag("use_dora"))
            refuse("use_dora",
                   "DoRA scales the columns of W too: merge the adapter into its model");
        if (flag("use_qalora"))
            refuse("use_qalora", "Merge the adapter into its model");
        if (flag("lora_bias"))
            refuse("lora_bias", "Train without it, or merge the adapter into its model");
        if (const auto bias = m_json.find("bias"); bias != m_json.end() && *bias != "none")
            refuse("bias", "Trained biases are not applied: merge the adapter into its model");
        for (const char* const key :
             {"modules_to_save", "trainable_token_indices", "layer_replication",
              "target_parameters", "alora_invocation_tokens", "use_bdlora", "kasa_config",
              "arrow_config", "monteclora_config", "velora_config", "lora_ga_config"})
            if (isSet(key))
                refuse(key, "Merge the adapter into its model");
        requirePlainStart();
    }

    bool isSet(const char* key) const
    {
        const auto found = m_json.find(key);
        return found != m_json.end() && !found->empty() && *found != false;
    }

    /// Adapters of these starts are differences from a base model that was changed first.
    void requirePlainStart() const
    {
        const auto start = m_json.find("init_lora_weights");
        if (start == m_json.end() || !start->is_string())
            return;
        std::string name = start->get<std::string>();
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
        for (const char* const changed : {"pissa", "olora", "corda", "loftq"})
            if (name.starts_with(changed))
                refuse("init_lora_weights", "Such an adapter changes its base model first: convert "
                                            "it to plain LoRA, or merge it");
    }

    const Json& at(const char* key) const
    {
        const auto found = m_json.find(key);
        if (found == m_json.end())
            refuse(key, "PEFT writes it: save the adapter again");
        return *found;
    }

    bool flag(const char* key) const
    {
        const auto found = m_json.find(key);
        if (found == m_json.end() || found->is_null())
            return false;
        if (!found->is_boolean())
            refuse(key, "Use true or false");
        return found->get<bool>();
    }

    double number(const Json& value, const char* key) const
    {
        if (!value.is_number() || !std::isfinite(value.get<double>()))
            refuse(key, "Give a number");
        return value.get<double>();
    }

    double positive(const Json& value, const char* key) const
    {
        if (!value.is_number_integer() || value.get<double>() < 1.0)
            refuse(key, "Give a whole number from 1 on");
        return value.get<double>();
    }

    void readPattern(const char* key, Pattern& pattern) const
    {
        const auto found = m_json.find(key);
        if (found == m_json.end() || found->is_null())
            return;
        if (!found->is_object())
            refuse(key, "Give an object of names and numbers");
        for (const auto& [name, value] : found->items()) {
            if (name.find_first_of("^$*+?()[]{}|\\") != std::string::npos)
                refuse(key, "Regular expressions are not read: name the modules");
            pattern[name] = number(value, key);
        }
    }

    static double valueOf(const Pattern& pattern, const std::string& module, double otherwise)
    {
        for (const auto& [name, value] : pattern)
            if (module == name || module.ends_with("." + name))
                return value;
        return otherwise;
    }

    std::string m_path;
    Json m_json;
    double m_rank = 0.0;
    double m_alpha = 0.0;
    bool m_isStabilised = false;
    Pattern m_ranks;
    Pattern m_alphas;
};

/// What one tensor is: "MODULE.lora_A.weight" and the like.
struct TensorRole
{
    enum class Matrix {
        A,
        B,
        Base, ///< The unchanged matrix, which PEFT saves beside updates of embeddings.
    };

    std::string module;
    Matrix matrix = Matrix::A;
    bool isEmbedding = false;
};

std::optional<TensorRole> roleOf(std::string_view name)
{
    if (name.starts_with(kPrefix))
        name.remove_prefix(kPrefix.size());

    struct Ending
    {
        std::string_view text;
        TensorRole::Matrix matrix;
        bool isEmbedding;
    };

    using Matrix = TensorRole::Matrix;
    constexpr Ending kEndings[] = {{".lora_A.weight", Matrix::A, false},
                                   {".lora_B.weight", Matrix::B, false},
                                   {".lora_A.default.weight", Matrix::A, false},
                                   {".lora_B.default.weight", Matrix::B, false},
                                   {".lora_embedding_A", Matrix::A, true},
                                   {".lora_embedding_B", Matrix::B, true},
                                   {".lora_embedding_A.default", Matrix::A, true},
                                   {".lora_embedding_B.default", Matrix::B, true},
                                   {".base_layer.weight", Matrix::Base, false}};
    for (const Ending& ending : kEndings)
        if (name.ends_with(ending.text) && name.size() > ending.text.size())
            return TensorRole{std::string(name.substr(0, name.size() - ending.text.size())),
                              ending.matrix, ending.isEmbedding};
    return std::nullopt;
}

fs::path weightsOf(const fs::path& folder)
{
    const fs::path path = folder / "adapter_model.safetensors";
    std::error_code error;
    if (!fs::exists(path, error))
        throw FormatError("adapter_model.safetensors is missing", folder.string(), std::nullopt,
                          "Save the adapter as safetensors (an adapter_model.bin is not read)");
    return path;
}

Tensor matrixOf(const SafetensorsFile& file, const std::string& name)
{
    const StoredTensor& stored = file.tensor(name);
    if (stored.shape.size() != 2)
        throw FormatError(
            fmt::format("the tensor {} has {} axes", inQuotes(name), stored.shape.size()),
            file.path(), std::nullopt, "Only updates of matrices are applied");
    return stored.toTensor();
}

/// A changed base matrix, such as one with more tokens, has other sizes.
void requireBaseSizes(const SafetensorsFile& file, const StoredLoraPair& pair)
{
    const std::string end = pair.module + ".base_layer.weight";
    std::vector<std::int64_t> expected{pair.b.shape()[0], pair.a.shape()[1]};
    if (pair.isEmbedding)
        std::ranges::reverse(expected);
    for (const auto& [name, stored] : file.tensors())
        if (name.ends_with(end) && stored.shape != expected)
            throw FormatError(
                fmt::format("the tensor {} does not have the sizes of its update", inQuotes(name)),
                file.path(), std::nullopt, "The adapter is damaged");
}

/// Both matrices of each module.
std::vector<StoredLoraPair> pairsOf(const SafetensorsFile& file)
{
    std::map<std::string, StoredLoraPair> pairs;
    for (const auto& [name, stored] : file.tensors()) {
        if (name.find("lora_magnitude_vector") != std::string::npos)
            throw FormatError("a DoRA adapter: it scales the columns of W too", file.path(),
                              std::nullopt, "Merge the adapter into its model");
        const std::optional<TensorRole> role = roleOf(name);
        if (!role)
            throw FormatError(fmt::format("the tensor {} is no LoRA matrix", inQuotes(name)),
                              file.path(), std::nullopt,
                              "Only pairs of lora_A and lora_B are applied");
        StoredLoraPair& pair = pairs[role->module];
        pair.module = role->module;
        if (role->matrix == TensorRole::Matrix::Base)
            continue;
        pair.isEmbedding = role->isEmbedding;
        (role->matrix == TensorRole::Matrix::B ? pair.b : pair.a) = matrixOf(file, name);
    }
    std::vector<StoredLoraPair> all;
    for (auto& [module, pair] : pairs) {
        if (pair.a.empty() || pair.b.empty())
            throw FormatError(fmt::format("{} has no matrix lora_{}", inQuotes(module),
                                          pair.a.empty() ? "A" : "B"),
                              file.path(), std::nullopt, "The adapter is incomplete");
        requireBaseSizes(file, pair);
        all.push_back(std::move(pair));
    }
    return all;
}

} // namespace

bool isPeftFolder(const fs::path& path)
{
    std::error_code error;
    return fs::is_directory(path, error) && fs::exists(path / "adapter_config.json", error);
}

StoredAdapter readPeftAdapter(const fs::path& folder)
{
    const PeftConfig config(folder / "adapter_config.json");
    const SafetensorsFile file = SafetensorsFile::open(weightsOf(folder));
    StoredAdapter adapter;
    adapter.path = file.path();
    adapter.pairs = pairsOf(file);
    for (StoredLoraPair& pair : adapter.pairs) {
        pair.scale = config.scaleOf(pair.module);
        const double rank = config.rankOf(pair.module);
        if (static_cast<double>(pair.a.shape()[0]) != rank)
            throw FormatError(fmt::format("{} has rank {}, but {} is configured",
                                          inQuotes(pair.module), pair.a.shape()[0], rank),
                              file.path(), std::nullopt,
                              "adapter_config.json does not belong to these weights");
    }
    file.requireUnchanged();
    checkPairs(adapter);
    return adapter;
}

} // namespace headscope
