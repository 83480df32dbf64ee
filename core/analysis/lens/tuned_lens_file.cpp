#include "core/analysis/lens/tuned_lens_file.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/io/safetensors/stored_tensor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headscope {

namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "headscope-tuned-lens";
constexpr const char* kVersion = "1";
constexpr const char* kAdvice = "Train a tuned lens for this model";

std::string hexadecimal(std::uint64_t value)
{
    return fmt::format("{:016x}", value);
}

std::int64_t predictingLayers(const ModelConfig& config)
{
    return config.isEncoderDecoder() ? config.decoderLayerCount() : config.layers;
}

/// Reads and checks one file.
class LensFile
{
public:
    explicit LensFile(const std::filesystem::path& path) : m_file(SafetensorsFile::open(path)) {}

    TunedLens read(const Model& model) const
    {
        requireKind();
        requireModel(model);
        TunedLens lens = untrainedLens(model);
        for (std::size_t stage = 0; stage < lens.stages.size(); ++stage) {
            const std::string name = toString(lens.stages[stage].key);
            fill(name + ".weight", lens.maps[stage].weight);
            fill(name + ".bias", lens.maps[stage].bias);
        }
        m_file.requireUnchanged();
        lens.model = value("model");
        lens.steps = integer("steps");
        lens.seed = static_cast<std::uint64_t>(integer("seed"));
        lens.tokens = integer("tokens");
        lens.heldOutTokens = integer("held_out_tokens");
        lens.before = numbers("kl_before", lens.stages.size());
        lens.after = numbers("kl_after", lens.stages.size());
        return lens;
    }

private:
    FormatError fault(const std::string& problem) const
    {
        return {problem, m_file.path(), std::nullopt, kAdvice};
    }

    std::string value(const std::string& key) const
    {
        const auto found = m_file.metadata().find(key);
        return found == m_file.metadata().end() ? std::string() : found->second;
    }

    std::int64_t integer(const std::string& key) const
    {
        const std::string text = value(key);
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size() || number < 0)
            throw fault(fmt::format("{} is {}, expected a number", key, inQuotes(text)));
        return number;
    }

    std::vector<double> numbers(const std::string& key, std::size_t count) const
    {
        const Json array = parseJson(value(key), m_file.path() + ", " + key, 2);
        if (!array.is_array() || array.size() != count)
            throw fault(fmt::format("{} must be an array of {} numbers", key, count));
        std::vector<double> numbers;
        for (const Json& number : array) {
            if (!number.is_number())
                throw fault(key + " contains a value that is not a number");
            numbers.push_back(number.get<double>());
        }
        return numbers;
    }

    void requireKind() const
    {
        if (value("format") != kFormat)
            throw fault("this safetensors file is not a tuned lens");
        if (value("version") != kVersion)
            throw fault(fmt::format("a tuned lens of version {}, expected \"{}\"",
                                    inQuotes(value("version")), kVersion));
    }

    void requireModel(const Model& model) const
    {
        const ModelConfig& config = model.config();
        const std::pair<const char*, std::int64_t> facts[] = {
            {"layers", predictingLayers(config)},
            {"d_model", config.dModel},
            {"vocabulary", config.vocabularySize}};
        for (const auto& [name, own] : facts)
            if (integer(name) != own)
                throw fault(fmt::format("this tuned lens belongs to another model: {} is {}, "
                                        "here {}",
                                        name, integer(name), own));
        if (value("fingerprint") != hexadecimal(weightFingerprint(model)))
            throw fault("this tuned lens was trained for other weights than this model has now");
    }

    void fill(const std::string& name, Tensor& tensor) const
    {
        if (!m_file.contains(name))
            throw fault(fmt::format("{} is missing", inQuotes(name)));
        const StoredTensor& stored = m_file.tensor(name);
        std::vector<std::int64_t> shape;
        for (int axis = 0; axis < tensor.shape().rank(); ++axis)
            shape.push_back(tensor.shape()[axis]);
        if (stored.shape != shape)
            throw fault(fmt::format("{} is not {}", inQuotes(name), tensor.shape().toString()));
        const std::vector<float> values = stored.toFloats();
        if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }))
            throw fault(fmt::format("{} contains a number that is not finite", inQuotes(name)));
        std::copy(values.begin(), values.end(), tensor.data());
    }

    SafetensorsFile m_file;
};

/// NaN and infinity do not exist in JSON: null.
std::string jsonOf(const std::vector<double>& numbers)
{
    Json array = Json::array();
    for (const double number : numbers)
        array.push_back(number);
    return dumpJson(array);
}

bool canBeWrittenTo(const std::filesystem::path& folder)
{
    return !folder.empty() && ::access(folder.c_str(), W_OK) == 0;
}

/// "stories" for "builtin:stories" and for "/models/stories.gguf", without characters that file
/// names do not allow.
std::string shortName(const std::string& model)
{
    std::string name = std::filesystem::path(model).stem().string();
    if (const auto colon = name.rfind(':'); colon != std::string::npos)
        name.erase(0, colon + 1);
    std::replace_if(
        name.begin(), name.end(),
        [](unsigned char letter) {
            return std::isalnum(letter) == 0 && letter != '-' && letter != '_';
        },
        '-');
    return name.empty() ? "model" : name;
}

} // namespace

void saveTunedLens(const std::filesystem::path& path, const TunedLens& lens, const Model& model)
{
    SafetensorsWriter writer;
    const auto set = [&writer](const char* key, const auto& value) {
        writer.setMetadata(key, fmt::format("{}", value));
    };
    Json stages = Json::array();
    for (std::size_t stage = 0; stage < lens.stages.size(); ++stage) {
        const std::string name = toString(lens.stages[stage].key);
        stages.push_back(name);
        writer.add(name + ".weight", lens.maps[stage].weight.view());
        writer.add(name + ".bias", lens.maps[stage].bias.view());
    }
    set("format", kFormat);
    set("version", kVersion);
    set("model", lens.model);
    set("layers", predictingLayers(model.config()));
    set("d_model", model.config().dModel);
    set("vocabulary", model.config().vocabularySize);
    set("fingerprint", hexadecimal(lens.fingerprint));
    set("steps", lens.steps);
    set("seed", lens.seed);
    set("tokens", lens.tokens);
    set("held_out_tokens", lens.heldOutTokens);
    set("stages", dumpJson(stages));
    set("kl_before", jsonOf(lens.before));
    set("kl_after", jsonOf(lens.after));
    writer.write(path);
}

TunedLens loadTunedLens(const std::filesystem::path& path, const Model& model)
{
    return LensFile(path).read(model);
}

TunedLensFolders tunedLensFolders(const LoadedModel& model, const std::filesystem::path& userFolder)
{
    TunedLensFolders places;
    std::error_code error;
    const std::filesystem::path path(model.name);
    if (std::filesystem::is_directory(path, error))
        places.beside = path / "tuned-lens.safetensors";
    else if (std::filesystem::is_regular_file(path, error))
        places.beside = path.parent_path() / (path.stem().string() + ".tuned-lens.safetensors");
    places.own = userFolder / fmt::format("{}-{}.safetensors", shortName(model.name),
                                          hexadecimal(weightFingerprint(*model.model)));
    return places;
}

std::optional<std::filesystem::path> findTunedLens(const TunedLensFolders& places)
{
    std::error_code error;
    for (const std::filesystem::path& path : {places.beside, places.own})
        if (!path.empty() && std::filesystem::is_regular_file(path, error))
            return path;
    return std::nullopt;
}

std::filesystem::path keepTunedLens(const TunedLensFolders& places, const TunedLens& lens,
                                    const Model& model)
{
    const std::filesystem::path folder =
        places.beside.parent_path().empty() && !places.beside.empty() ? std::filesystem::path(".")
                                                                      : places.beside.parent_path();
    if (canBeWrittenTo(folder)) {
        saveTunedLens(places.beside, lens, model);
        return places.beside;
    }
    std::error_code error;
    std::filesystem::create_directories(places.own.parent_path(), error);
    if (error)
        throw Error("cannot make this folder: " + error.message(),
                    places.own.parent_path().string(), "Choose a writable folder");
    saveTunedLens(places.own, lens, model);
    return places.own;
}

} // namespace headscope
