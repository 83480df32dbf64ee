#include "core/io/hugging_face/hugging_face.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/hugging_face/hugging_face_config.h"
#include "core/io/hugging_face/hugging_face_names.h"
#include "core/io/hugging_face/quantised_weights.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/stored_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxJsonBytes = std::uint64_t{64} << 20;

/// Accepts a file name in the same folder, which errors may show unchanged.
bool isFileName(const std::string& name)
{
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    return !name.empty() && fs::path(name).filename() == name && name != "." && name != ".." &&
           std::none_of(name.begin(), name.end(), isControl);
}

/// Weight files of one model: one, or as many as the index lists.
class WeightFiles
{
public:
    explicit WeightFiles(const fs::path& folder) : m_folder(folder)
    {
        std::error_code error;
        const fs::path whole = folder / "model.safetensors";
        const fs::path index = folder / "model.safetensors.index.json";
        if (fs::exists(whole, error))
            addAll(whole);
        else if (fs::exists(index, error))
            addShards(index);
        else
            throw FormatError("there is no model.safetensors", folder.string(), std::nullopt,
                              "Choose a folder with config.json and model.safetensors; save "
                              "weights of other formats as safetensors first");
    }

    std::set<std::string> names() const
    {
        std::set<std::string> result;
        for (const ModelTensor& tensor : m_tensors)
            result.insert(tensor.name);
        return result;
    }

    /// Removes the base model's prefix from all names that begin with it.
    std::vector<ModelTensor> tensorsWithout(std::string_view prefix) &&
    {
        std::set<std::string> seen;
        for (ModelTensor& tensor : m_tensors) {
            if (!prefix.empty() && tensor.name.starts_with(prefix))
                tensor.name.erase(0, prefix.size());
            if (!seen.insert(tensor.name).second)
                throw FormatError("the tensor " + inQuotes(tensor.name) + " occurs more than once",
                                  tensor.file->path().string());
        }
        return std::move(m_tensors);
    }

    const std::string& path() const { return m_files.begin()->second.path(); }

private:
    const SafetensorsFile& open(const fs::path& path)
    {
        const auto found = m_files.find(path.string());
        if (found != m_files.end())
            return found->second;
        return m_files.emplace(path.string(), SafetensorsFile::open(path)).first->second;
    }

    void add(const std::string& name, const StoredTensor& stored, const SafetensorsFile& file)
    {
        ModelTensor& tensor = m_tensors.emplace_back();
        tensor.name = name;
        tensor.type = toString(stored.type);
        tensor.shape = stored.shape;
        tensor.bytes = stored.bytes;
        tensor.format = formatOf(stored.type);
        if (!tensor.format)
            tensor.convertible = stored;
        tensor.file = file.map();
    }

    void addAll(const fs::path& path)
    {
        const SafetensorsFile& file = open(path);
        for (const auto& [name, tensor] : file.tensors())
            add(name, tensor, file);
    }

    void addShards(const fs::path& index)
    {
        const nlohmann::json json = parseJson(readFile(index, kMaxJsonBytes), index.string());
        if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object() ||
            json["weight_map"].empty())
            throw FormatError("there is no \"weight_map\" with the tensors' files", index.string());
        for (const auto& [name, shard] : json["weight_map"].items()) {
            const std::string file = shard.is_string() ? shard.get<std::string>() : std::string();
            if (!isFileName(file))
                throw FormatError(fmt::format("the tensor {} is in {}", inQuotes(name),
                                              inQuotes(dumpJson(shard))),
                                  index.string(), std::nullopt,
                                  "Use the name of a file in the same folder");
            requireInFolder(file, index);
            const SafetensorsFile& opened = open(m_folder / file);
            add(name, opened.tensor(name), opened);
        }
    }

    /// Allows a link to another file of the model's own folder, or to the store of blobs beside the
    /// snapshots of a download cache; an untrusted index must not reach anything else.
    void requireInFolder(const std::string& file, const fs::path& index) const
    {
        std::error_code error;
        const fs::path target = fs::canonical(m_folder / file, error);
        if (error) // a missing file is reported when it is opened
            return;
        const fs::path folder = fs::canonical(m_folder, error);
        const fs::path snapshots = folder.parent_path();
        if (target.parent_path() == folder ||
            (snapshots.filename() == "snapshots" &&
             target.parent_path() == snapshots.parent_path() / "blobs"))
            return;
        throw FormatError(
            fmt::format("the file {} is a link to {}", inQuotes(file), inQuotes(target.string())),
            index.string(), std::nullopt, "Copy the file itself into the folder");
    }

    static std::optional<BlockFormat> formatOf(DataType type)
    {
        switch (type) {
        case DataType::F32:
            return BlockFormat::F32;
        case DataType::F16:
            return BlockFormat::F16;
        case DataType::BF16:
            return BlockFormat::BF16;
        default:
            return std::nullopt;
        }
    }

    fs::path m_folder;
    std::map<std::string, SafetensorsFile> m_files; ///< A container whose nodes are never moved.
    std::vector<ModelTensor> m_tensors;
};

/// Says of scales which parameters they belong to.
void noteParts(const QuantisationParts& parts, StoredModel& model)
{
    for (ModelTensor& tensor : model.tensors) {
        const auto part = parts.find(tensor.name);
        if (part == parts.end())
            continue;
        const auto weight = std::ranges::find(model.tensors, part->second, &ModelTensor::name);
        if (weight != model.tensors.end())
            tensor.parameters = weight->parameters;
    }
}

} // namespace

StoredModel findHuggingFaceModel(const fs::path& folder)
{
    const fs::path configPath = folder / "config.json";
    const nlohmann::json json = parseJson(readFile(configPath, kMaxJsonBytes), configPath.string());
    WeightFiles files(folder);
    const std::set<std::string> names = files.names();
    StoredModel model;
    model.path = files.path();
    model.format = "safetensors";
    model.config = huggingFaceConfig(json, names, configPath.string());
    model.family = json.at("model_type").get<std::string>();
    if (model.config.layers > static_cast<std::int64_t>(names.size()))
        throw FormatError(fmt::format("{} layers in files with only {} tensors",
                                      model.config.layers, names.size()),
                          configPath.string());
    model.tensors = std::move(files).tensorsWithout(basePrefix(model.family));
    const QuantisationParts parts =
        widenQuantised(model, readQuantisation(ConfigReader(json, names, configPath.string())));
    std::set<std::string> tensors;
    for (const ModelTensor& tensor : model.tensors)
        tensors.insert(tensor.name);
    findParameters(model, storedWeights(model.family, model.config, tensors),
                   [&](std::string_view name) {
                       return parts.contains(std::string(name)) ||
                              isRedundant(model.family, model.config, name);
                   });
    noteParts(parts, model);
    return model;
}

} // namespace headscope
