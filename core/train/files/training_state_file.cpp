#include "core/train/files/training_state_file.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/io/safetensors/stored_tensor.h"
#include "core/model/config/model_config_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr const char* kOptimizerFormat = "headscope-optimizer";

std::string metadataValue(const SafetensorsFile& file, const std::string& key)
{
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
}

void requireMetadata(const SafetensorsFile& file, const std::string& key,
                     const std::string& expected)
{
    if (metadataValue(file, key) != expected)
        throw FormatError(fmt::format("the {} is \"{}\", expected \"{}\"", key,
                                      metadataValue(file, key), expected),
                          file.path(), std::nullopt,
                          "Resume with the files and the seed of one training run");
}

bool hasShape(const StoredTensor& stored, const Shape& shape)
{
    if (stored.type != DataType::F32 || static_cast<int>(stored.shape.size()) != shape.rank())
        return false;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (stored.shape[axis] != shape[axis])
            return false;
    }
    return true;
}

/// Checks all shapes before any memory is allocated for them.
void requireTensors(const SafetensorsFile& file, const std::vector<ParameterSpec>& layout,
                    const std::string& prefix)
{
    for (const ParameterSpec& spec : layout) {
        if (!hasShape(file.tensor(prefix + spec.name), spec.shape))
            throw FormatError(fmt::format("the tensor \"{}\" is not float32 {}", prefix + spec.name,
                                          spec.shape.toString()),
                              file.path());
    }
}

ParameterSet readSet(const SafetensorsFile& file, const ModelConfig& config,
                     const std::string& prefix)
{
    requireTensors(file, parameterLayout(config), prefix);
    ParameterSet set(config);
    for (const ParameterSpec& spec : set.specs()) {
        const Tensor values = file.tensor(prefix + spec.name).toTensor();
        const bool finite = std::all_of(values.values().begin(), values.values().end(),
                                        [](float value) { return std::isfinite(value); });
        if (!finite)
            throw FormatError(fmt::format("the tensor \"{}\" contains values that are not finite",
                                          prefix + spec.name),
                              file.path());
        std::copy(values.values().begin(), values.values().end(), set.view(spec).data);
    }
    file.requireUnchanged();
    return set;
}

void addSet(SafetensorsWriter& writer, const ParameterSet& set, const std::string& prefix)
{
    for (const ParameterSpec& spec : set.specs())
        writer.add(prefix + spec.name, set.view(spec));
}

} // namespace

ParameterSet readCheckpointParameters(const std::filesystem::path& path, const ModelConfig& config)
{
    const SafetensorsFile file = SafetensorsFile::open(path);
    requireMetadata(file, "format", "headscope-checkpoint");
    const std::string where = path.string() + ", config";
    if (modelConfigFromJson(parseJson(metadataValue(file, "config"), where), where) != config)
        throw FormatError("the checkpoint belongs to another model than the configuration",
                          path.string(), std::nullopt,
                          "Resume with the configuration of the "
                          "training run");
    return readSet(file, config, "");
}

void writeMoments(const std::filesystem::path& path, const TrainingState& state, std::uint64_t seed)
{
    SafetensorsWriter writer;
    writer.setMetadata("format", kOptimizerFormat);
    writer.setMetadata("version", "1");
    writer.setMetadata("step", fmt::format("{}", state.step));
    writer.setMetadata("seed", fmt::format("{}", seed));
    addSet(writer, state.firstMoment, "first.");
    addSet(writer, state.secondMoment, "second.");
    writer.write(path);
}

void readMoments(const std::filesystem::path& path, const ModelConfig& config, std::uint64_t seed,
                 TrainingState& state)
{
    const SafetensorsFile file = SafetensorsFile::open(path);
    requireMetadata(file, "format", kOptimizerFormat);
    requireMetadata(file, "version", "1");
    requireMetadata(file, "step", fmt::format("{}", state.step));
    requireMetadata(file, "seed", fmt::format("{}", seed));
    state.firstMoment = readSet(file, config, "first.");
    state.secondMoment = readSet(file, config, "second.");
}

} // namespace headscope
