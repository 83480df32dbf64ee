#include "core/io/checkpoint.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/io/safetensors/stored_tensor.h"
#include "core/model/config/model_config_json.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json.h"
#include "core/text/tokenizers/id_tokenizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr const char* kFormat = "headscope-checkpoint";
constexpr const char* kVersion = "1";

std::string metadataValue(const SafetensorsFile& file, const std::string& key)
{
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
}

void checkFormat(const SafetensorsFile& file)
{
    const std::string format = metadataValue(file, "format");
    if (format == "headscope-trace")
        throw FormatError("this is a trace, not a checkpoint", file.path(), std::nullopt,
                          "Choose a checkpoint that Headscope trained");
    if (format != kFormat)
        throw FormatError("this safetensors file is not a Headscope checkpoint", file.path(),
                          std::nullopt, "Choose a checkpoint that Headscope trained");
    const std::string version = metadataValue(file, "version");
    if (version != kVersion)
        throw FormatError("a checkpoint of version " + inQuotes(version) + ", \"" + kVersion +
                              "\" was expected",
                          file.path(), std::nullopt, "Open it with a newer version of Headscope");
}

ModelConfig readConfig(const SafetensorsFile& file)
{
    const std::string where = file.path() + ", config";
    return namingFile(where, [&] {
        const ModelConfig config =
            modelConfigFromJson(parseJson(metadataValue(file, "config"), where), where);
        config.validate();
        return config;
    });
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

void checkShape(const SafetensorsFile& file, const ParameterSpec& spec)
{
    const StoredTensor& stored = file.tensor(spec.name);
    const std::vector<std::int64_t> expected(spec.shape.begin(), spec.shape.end());
    if (stored.shape != expected)
        throw FormatError(fmt::format("the tensor {} has the shape {}, but {} was expected",
                                      inQuotes(spec.name), shapeText(stored.shape),
                                      shapeText(expected)),
                          file.path());
    if (stored.type != DataType::F32)
        throw FormatError(fmt::format("the tensor {} is stored as {}, but F32 was expected",
                                      inQuotes(spec.name), toString(stored.type)),
                          file.path());
}

/// Checks that every tensor of the layout exists, with the configured size, and no other. Called
/// before anything is allocated on the configuration's word.
void checkTensors(const SafetensorsFile& file, const ModelConfig& config)
{
    const bool hasTwoStacks = config.isEncoderDecoder();
    const std::int64_t blocks = config.layers + (hasTwoStacks ? config.decoderLayerCount() : 0);
    const std::int64_t parts = blocks * std::max<std::int64_t>(1, config.experts.count);
    if (parts > static_cast<std::int64_t>(file.tensors().size()))
        throw FormatError(fmt::format("{} layers, experts counted individually, in a file of {} "
                                      "tensors",
                                      parts, file.tensors().size()),
                          file.path());
    const std::vector<ParameterSpec> layout = parameterLayout(config);
    std::vector<std::string> known;
    for (const ParameterSpec& spec : layout) {
        checkShape(file, spec);
        known.push_back(spec.name);
    }
    std::sort(known.begin(), known.end());
    for (const auto& [name, tensor] : file.tensors())
        if (!std::binary_search(known.begin(), known.end(), name))
            throw FormatError("the tensor " + inQuotes(name) + " does not belong to this model",
                              file.path());
}

ParameterSet readParameters(const SafetensorsFile& file, const ModelConfig& config)
{
    ParameterSet parameters(config);
    for (const ParameterSpec& spec : parameters.specs()) {
        const Tensor values = file.tensor(spec.name).toTensor();
        const auto unusable = std::find_if_not(values.values().begin(), values.values().end(),
                                               [](float value) { return std::isfinite(value); });
        if (unusable != values.values().end())
            throw FormatError(fmt::format("the tensor {} contains {} at index {}",
                                          inQuotes(spec.name), *unusable,
                                          unusable - values.values().begin()),
                              file.path(), std::nullopt, "The weights are damaged");
        std::copy(values.values().begin(), values.values().end(), parameters.view(spec).data);
    }
    return parameters;
}

LoadedModel assemble(const SafetensorsFile& file, const std::string& name,
                     const std::function<std::shared_ptr<const Tokenizer>()>& openTokenizer)
{
    checkFormat(file);
    const ModelConfig config = readConfig(file);
    checkTensors(file, config);
    LoadedModel loaded;
    loaded.name = name;
    loaded.model = std::make_shared<const Model>(config, readParameters(file, config));
    file.requireUnchanged();
    loaded.tokenizer = openTokenizer();
    if (!loaded.tokenizer) // trained on ids alone, or the file is gone
        loaded.tokenizer =
            std::make_shared<const IdTokenizer>(static_cast<std::size_t>(config.vocabularySize));
    const auto tokens = static_cast<std::int64_t>(loaded.tokenizer->vocabularySize());
    if (tokens > config.vocabularySize)
        throw FormatError(fmt::format("the tokenizer has {} tokens, but the model has {}", tokens,
                                      config.vocabularySize),
                          file.path(), std::nullopt,
                          "Put the tokenizer that the model was trained with next to it");
    return loaded;
}

} // namespace

void saveCheckpoint(const std::filesystem::path& path, const Model& model,
                    const std::map<std::string, std::string>& extra)
{
    SafetensorsWriter writer;
    for (const auto& [key, value] : extra)
        writer.setMetadata(key, value);
    writer.setMetadata("format", kFormat);
    writer.setMetadata("version", kVersion);
    writer.setMetadata("config", dumpJson(toJson(model.config())));
    for (const ParameterSpec& spec : model.parameters().specs())
        writer.add(spec.name, model.parameters().view(spec));
    writer.write(path);
}

ModelConfig readCheckpointConfig(const std::filesystem::path& path)
{
    const SafetensorsFile file = SafetensorsFile::open(path);
    checkFormat(file);
    ModelConfig config = readConfig(file);
    checkTensors(file, config);
    return config;
}

std::filesystem::path checkpointTokenizer(const std::filesystem::path& checkpoint)
{
    const std::filesystem::path folder = std::filesystem::absolute(checkpoint).parent_path();
    std::filesystem::path beside = folder / "tokenizer.json";
    std::error_code error;
    if (folder.filename() == "checkpoints" && !std::filesystem::exists(beside, error))
        beside = folder.parent_path() / "tokenizer.json";
    return beside;
}

LoadedModel loadCheckpoint(const std::filesystem::path& path,
                           const std::filesystem::path& tokenizerPath)
{
    const SafetensorsFile file = SafetensorsFile::open(path);
    return assemble(file, path.string(), [&]() -> std::shared_ptr<const Tokenizer> {
        if (!tokenizerPath.empty())
            return loadTokenizer(tokenizerPath);
        const std::filesystem::path beside = checkpointTokenizer(path);
        std::error_code error;
        return std::filesystem::exists(beside, error) ? loadTokenizer(beside) : nullptr;
    });
}

LoadedModel loadCheckpoint(std::span<const std::byte> checkpoint, std::string_view tokenizerJson,
                           const std::string& name)
{
    const SafetensorsFile file = SafetensorsFile::fromMemory(checkpoint, name);
    return assemble(file, name,
                    [&] { return parseTokenizerJson(tokenizerJson, name + ", tokenizer.json"); });
}

} // namespace headscope
