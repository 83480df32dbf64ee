#include "core/io/hugging_face.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/hugging_face_names.h"
#include "core/io/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxJsonBytes = std::uint64_t{64} << 20;

struct Located
{
    const StoredTensor* tensor = nullptr;
    const SafetensorsFile* file = nullptr;
};

/// The tensors of one model, in one file or several.
class WeightFiles
{
public:
    explicit WeightFiles(const fs::path& folder)
    {
        std::error_code error;
        const fs::path whole = folder / "model.safetensors";
        const fs::path index = folder / "model.safetensors.index.json";
        if (fs::exists(whole, error))
            addAll(whole);
        else if (fs::exists(index, error))
            addShards(folder, index);
        else
            throw FormatError("there is no model.safetensors", folder.string(), std::nullopt,
                              "Give a folder with config.json and model.safetensors; save weights "
                              "of other formats as safetensors first");
    }

    std::set<std::string> names() const
    {
        std::set<std::string> result;
        for (const auto& [name, located] : m_tensors)
            result.insert(name);
        return result;
    }

    /// Takes the base model's prefix off all names that begin with it.
    void strip(std::string_view prefix)
    {
        std::map<std::string, Located> stripped;
        for (const auto& [name, located] : m_tensors) {
            const std::string shorter =
                !prefix.empty() && name.starts_with(prefix) ? name.substr(prefix.size()) : name;
            if (!stripped.emplace(shorter, located).second)
                throw FormatError("the tensor " + inQuotes(name) + " is there twice",
                                  located.file->path());
        }
        m_tensors = std::move(stripped);
    }

    const std::map<std::string, Located>& tensors() const { return m_tensors; }

    const std::string& path() const { return m_files.begin()->second.path(); }

private:
    const SafetensorsFile& open(const fs::path& path)
    {
        const auto found = m_files.find(path.string());
        if (found != m_files.end())
            return found->second;
        return m_files.emplace(path.string(), SafetensorsFile::open(path)).first->second;
    }

    void addAll(const fs::path& path)
    {
        const SafetensorsFile& file = open(path);
        for (const auto& [name, tensor] : file.tensors())
            m_tensors[name] = {&tensor, &file};
    }

    void addShards(const fs::path& folder, const fs::path& index)
    {
        const nlohmann::json json = parseJson(readFile(index, kMaxJsonBytes), index.string());
        if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object() ||
            json["weight_map"].empty())
            throw FormatError("no \"weight_map\" with the tensors' files", index.string());
        for (const auto& [name, shard] : json["weight_map"].items()) {
            const std::string file = shard.is_string() ? shard.get<std::string>() : std::string();
            if (file.empty() || fs::path(file).filename() != file || file == "..")
                throw FormatError(fmt::format("the tensor {} is in {}", inQuotes(name),
                                              inQuotes(dumpJson(shard))),
                                  index.string(), std::nullopt,
                                  "Give the name of a file in the same folder");
            const SafetensorsFile& opened = open(folder / file);
            m_tensors[name] = {&opened.tensor(name), &opened};
        }
    }

    std::map<std::string, SafetensorsFile> m_files; ///< nodes stay where they are
    std::map<std::string, Located> m_tensors;
};

/// What is to be copied into one parameter; no tensor: zeros.
struct Source
{
    StoredWeight weight;
    Located from;
};

std::vector<std::int64_t> storedShape(const StoredWeight& weight, const Shape& shape)
{
    std::vector<std::int64_t> expected;
    for (int axis = 0; axis < shape.rank(); ++axis)
        expected.push_back(shape[axis]);
    expected.front() *= weight.parts;
    if (weight.transposed)
        std::reverse(expected.begin(), expected.end());
    return expected;
}

void checkShape(const Source& source, const std::string& name, const Shape& shape)
{
    const std::vector<std::int64_t> expected = storedShape(source.weight, shape);
    if (source.from.tensor->shape != expected)
        throw FormatError(fmt::format("the tensor {} has the shape [{}], [{}] was expected",
                                      inQuotes(name), fmt::join(source.from.tensor->shape, ", "),
                                      fmt::join(expected, ", ")),
                          source.from.file->path());
}

/// Finds every parameter's numbers, in the layout's order, and sees that no tensor is left over.
std::vector<Source> findSources(const WeightFiles& files, const std::string& modelType,
                                const ModelConfig& config)
{
    const std::vector<ParameterSpec> layout = parameterLayout(config);
    const std::vector<StoredWeight> weights = storedWeights(modelType, config);
    std::set<std::string> used;
    std::vector<Source> sources;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        Source source{weights[i], {}};
        const auto& names = weights[i].names;
        const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
            return files.tensors().count(name) != 0;
        });
        if (found == names.end() && !names.empty() && !weights[i].optional)
            throw FormatError("the tensor " + inQuotes(names.front()) + " is missing", files.path(),
                              std::nullopt, "The weights are not complete");
        if (found != names.end()) {
            source.from = files.tensors().at(*found);
            checkShape(source, *found, layout[i].shape);
            used.insert(*found);
        }
        sources.push_back(std::move(source));
    }
    for (const auto& [name, located] : files.tensors())
        if (used.count(name) == 0 && !isRedundant(modelType, config, name))
            throw FormatError("the tensor " + inQuotes(name) + " belongs to no " + modelType +
                                  " that is known here",
                              located.file->path());
    return sources;
}

void requireFinite(const std::vector<float>& values, const Source& source)
{
    const auto unusable =
        std::find_if_not(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
    if (unusable != values.end())
        throw FormatError(fmt::format("the weights of {} hold {} at index {}",
                                      inQuotes(source.weight.parameter), *unusable,
                                      unusable - values.begin()),
                          source.from.file->path(), std::nullopt, "The weights are damaged");
}

/// The rows of this part, group after group, turned where they are stored as columns.
void fill(MutableTensorView parameter, const Source& source)
{
    const std::vector<float> stored = source.from.tensor->toFloats();
    requireFinite(stored, source);
    const StoredWeight& weight = source.weight;
    const std::int64_t rows = parameter.shape[0];
    const std::int64_t columns = parameter.shape.elementCount() / rows;
    const std::int64_t groupRows = rows / weight.groups;
    const std::int64_t storedRows = rows * weight.parts;
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t group = row / groupRows;
        const std::int64_t from =
            (group * weight.parts + weight.part) * groupRows + row % groupRows;
        const float* first = stored.data() + (weight.transposed ? from : from * columns);
        const std::int64_t step = weight.transposed ? storedRows : 1;
        for (std::int64_t column = 0; column < columns; ++column)
            parameter.data[row * columns + column] = first[column * step];
    }
}

} // namespace

Model loadHuggingFaceModel(const fs::path& folder)
{
    const fs::path configPath = folder / "config.json";
    const nlohmann::json json = parseJson(readFile(configPath, kMaxJsonBytes), configPath.string());
    WeightFiles files(folder);
    const ModelConfig config = huggingFaceConfig(json, files.names(), configPath.string());
    const auto modelType = json.at("model_type").get<std::string>();
    if (config.layers > static_cast<std::int64_t>(files.tensors().size()))
        throw FormatError(
            fmt::format("{} layers in files of {} tensors", config.layers, files.tensors().size()),
            configPath.string());
    files.strip(basePrefix(modelType));
    const std::vector<Source> sources = findSources(files, modelType, config);
    ParameterSet parameters(config);
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (sources[i].from.tensor != nullptr)
            fill(parameters.view(parameters.specs()[i]), sources[i]);
    return {config, std::move(parameters)};
}

} // namespace headscope
