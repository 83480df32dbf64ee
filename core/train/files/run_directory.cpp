#include "core/train/files/run_directory.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/checkpoint.h"
#include "core/train/files/training_state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kConfigLimit = 1 << 20;
constexpr std::array kFreeKeys = {"steps", "eval_every", "checkpoint_every", "log_every"};

bool isFreeKey(const std::string& key)
{
    return std::find(kFreeKeys.begin(), kFreeKeys.end(), key) != kFreeKeys.end();
}

void makeFolder(const fs::path& path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw Error("cannot make the folder: " + error.message(), path.string(),
                    "Choose a writable place");
}

/// N of "PREFIX-N.safetensors", written without sign or leading zeros.
std::optional<std::int64_t> stepOf(const std::string& name, std::string_view prefix)
{
    constexpr std::string_view suffix = ".safetensors";
    if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
        name.size() <= prefix.size() + suffix.size())
        return std::nullopt;
    const char* const first = name.data() + prefix.size();
    const char* const last = name.data() + name.size() - suffix.size();
    std::int64_t step = 0;
    const auto [end, error] = std::from_chars(first, last, step);
    const bool canonical = error == std::errc() && end == last && step >= 0 &&
                           fmt::format("{}", step) == std::string_view(first, last);
    return canonical ? std::optional(step) : std::nullopt;
}

std::vector<std::int64_t> stepsIn(const fs::path& folder, std::string_view prefix)
{
    std::vector<std::int64_t> steps;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (const auto step = stepOf(it->path().filename().string(), prefix))
            steps.push_back(*step);
    }
    std::sort(steps.begin(), steps.end());
    return steps;
}

/// True if a folder, if it exists, contains only these names and unfinished files.
bool holdsOnly(const fs::path& folder, std::initializer_list<std::string_view> names)
{
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        const bool isUnfinished = name.starts_with(".headscope-") && name.ends_with(".tmp");
        if (!isUnfinished && std::find(names.begin(), names.end(), name) == names.end())
            return false;
    }
    return true;
}

} // namespace

bool RunDirectory::isFree(const fs::path& path)
{
    std::error_code error;
    if (!fs::exists(path, error))
        return true;
    if (!fs::is_directory(path, error))
        return false;
    return holdsOnly(path, {"checkpoints", "run.json"}) &&
           holdsOnly(path / "checkpoints", {"tokenizer.json"}) &&
           (fs::is_directory(path / "checkpoints", error) || !fs::exists(path / "run.json", error));
}

RunDirectory RunDirectory::create(const fs::path& path, const nlohmann::json& config,
                                  std::string_view tokenizerJson, std::string_view cardJson)
{
    if (!isFree(path))
        throw Error("the folder for a new training run is not empty", path.string(),
                    "Resume the run in it, or choose another folder");
    makeFolder(path / "checkpoints");
    if (!tokenizerJson.empty())
        writeAtomically(path / "checkpoints" / "tokenizer.json", tokenizerJson);
    if (!cardJson.empty())
        writeAtomically(path / "run.json", cardJson);
    writeAtomically(path / "config.json", config.dump(2) + "\n");
    return RunDirectory(path);
}

RunDirectory RunDirectory::open(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_regular_file(path / "config.json", error) ||
        !fs::is_directory(path / "checkpoints", error))
        throw FormatError("this is not a training run: it has no config.json or no folder "
                          "checkpoints",
                          path.string(), std::nullopt,
                          "Give the folder of a training run, or start a new one");
    RunDirectory directory(path);
    if (!directory.config().is_object())
        throw FormatError("the configuration of the training run is not a JSON object",
                          (path / "config.json").string());
    return directory;
}

fs::path RunDirectory::checkpointPath(std::int64_t step) const
{
    return m_path / "checkpoints" / fmt::format("step-{}.safetensors", step);
}

fs::path RunDirectory::optimizerPath(std::int64_t step) const
{
    return m_path / "checkpoints" / fmt::format("optimizer-{}.safetensors", step);
}

nlohmann::json RunDirectory::config() const
{
    const fs::path path = m_path / "config.json";
    return parseJson(readFile(path, kConfigLimit), path.string());
}

void RunDirectory::requireSameConfig(const nlohmann::json& wanted) const
{
    const nlohmann::json stored = config();
    const auto check = [&](const nlohmann::json& one, const nlohmann::json& other) {
        for (const auto& [key, value] : one.items()) {
            if (!isFreeKey(key) && (!other.contains(key) || other[key] != value))
                throw Error(fmt::format("the training run was made with another \"{}\"", key),
                            (m_path / "config.json").string(),
                            "Resume with the configuration of the training run, or start a "
                            "new one");
        }
    };
    check(stored, wanted);
    check(wanted, stored);
}

std::vector<std::int64_t> RunDirectory::checkpointSteps() const
{
    return stepsIn(m_path / "checkpoints", "step-");
}

std::vector<std::int64_t> RunDirectory::optimizerSteps() const
{
    return stepsIn(m_path / "checkpoints", "optimizer-");
}

std::optional<std::int64_t> RunDirectory::newestStep() const
{
    const std::vector<std::int64_t> states = optimizerSteps();
    const auto newest = std::find_if(states.rbegin(), states.rend(), [this](std::int64_t step) {
        std::error_code error;
        return std::filesystem::exists(checkpointPath(step), error);
    });
    return newest == states.rend() ? std::nullopt : std::optional(*newest);
}

TrainingState RunDirectory::load(std::int64_t step, const ModelConfig& config,
                                 std::uint64_t seed) const
{
    TrainingState state;
    state.step = step;
    state.parameters = readCheckpointParameters(checkpointPath(step), config);
    readMoments(optimizerPath(step), config, seed, state);
    return state;
}

TrainingState RunDirectory::loadWeights(std::int64_t step, const ModelConfig& config) const
{
    TrainingState state;
    state.step = step;
    state.parameters = readCheckpointParameters(checkpointPath(step), config);
    state.firstMoment = ParameterSet(config);
    state.secondMoment = ParameterSet(config);
    return state;
}

void RunDirectory::save(const ModelConfig& config, const TrainingState& state, std::uint64_t seed,
                        const std::map<std::string, std::string>& extra) const
{
    std::map<std::string, std::string> metadata = extra;
    metadata["step"] = fmt::format("{}", state.step);
    saveCheckpoint(checkpointPath(state.step), Model(config, state.parameters), metadata);
    writeMoments(optimizerPath(state.step), state, seed);
}

} // namespace headscope
