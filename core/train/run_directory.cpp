#include "core/train/run_directory.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/checkpoint.h"
#include "core/train/training_state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kConfigLimit = 1 << 20;
constexpr std::uint64_t kLogLimit = 1ULL << 30;
constexpr std::array kFreeKeys = {"steps", "eval_every", "checkpoint_every", "log_every"};

bool isFree(const std::string& key)
{
    return std::find(kFreeKeys.begin(), kFreeKeys.end(), key) != kFreeKeys.end();
}

void makeFolder(const fs::path& path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw Error("cannot make the folder: " + error.message(), path.string(),
                    "Choose a place that you may write to");
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

/// The step of a log line, or -1 for a line that is no object with one.
std::int64_t stepOfLine(std::string_view line)
{
    const nlohmann::json value = nlohmann::json::parse(line, nullptr, false);
    if (!value.is_object() || !value.contains("step") || !value["step"].is_number_integer())
        return -1;
    return value["step"].get<std::int64_t>();
}

} // namespace

RunDirectory RunDirectory::create(const fs::path& path, const nlohmann::json& config,
                                  std::string_view tokenizerJson)
{
    std::error_code error;
    if (fs::exists(path, error) && (!fs::is_directory(path, error) || !fs::is_empty(path, error)))
        throw Error("the folder for a new training run is not empty", path.string(),
                    "Resume the run in it, or choose another folder");
    makeFolder(path / "checkpoints");
    if (!tokenizerJson.empty())
        writeAtomically(path / "checkpoints" / "tokenizer.json", tokenizerJson);
    writeAtomically(path / "config.json", config.dump(2) + "\n");
    return RunDirectory(path);
}

RunDirectory RunDirectory::open(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_regular_file(path / "config.json", error) ||
        !fs::is_directory(path / "checkpoints", error))
        throw FormatError("no training run: config.json and a folder checkpoints were expected",
                          path.string(), std::nullopt,
                          "Give the folder of a run, or start a new one");
    RunDirectory directory(path);
    if (!directory.config().is_object())
        throw FormatError("the configuration of the run is no JSON object",
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
            if (!isFree(key) && (!other.contains(key) || other[key] != value))
                throw Error(fmt::format("the run was made with another \"{}\"", key),
                            (m_path / "config.json").string(),
                            "Resume with the configuration of the run, or start a new one");
        }
    };
    check(stored, wanted);
    check(wanted, stored);
}

std::optional<std::int64_t> RunDirectory::newestStep() const
{
    const std::vector<std::int64_t> states = stepsIn(m_path / "checkpoints", "optimizer-");
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

void RunDirectory::save(const ModelConfig& config, const TrainingState& state, std::uint64_t seed,
                        const std::map<std::string, std::string>& extra) const
{
    std::map<std::string, std::string> metadata = extra;
    metadata["step"] = fmt::format("{}", state.step);
    saveCheckpoint(checkpointPath(state.step), Model(config, state.parameters), metadata);
    writeMoments(optimizerPath(state.step), state, seed);
    for (const std::int64_t step : stepsIn(m_path / "checkpoints", "optimizer-")) {
        std::error_code ignored; // one file too many does no harm
        if (step != state.step)
            fs::remove(optimizerPath(step), ignored);
    }
}

void RunDirectory::appendLog(const std::string& line) const
{
    const fs::path path = m_path / "log.jsonl";
    const std::string text = line + "\n";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    bool done =
        file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int problem = errno;
    if (file >= 0)
        done = ::close(file) == 0 && done;
    if (!done)
        throw Error(
            fmt::format("cannot write the log: {}", std::generic_category().message(problem)),
            path.string(), "Free some space, then resume the run");
}

void RunDirectory::cutLog(std::int64_t step) const
{
    const fs::path path = m_path / "log.jsonl";
    std::error_code error;
    if (!fs::exists(path, error))
        return;
    const std::string text = readFile(path, kLogLimit);
    std::string kept;
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         begin = end + 1, end = text.find('\n', begin)) {
        const std::int64_t line = stepOfLine(std::string_view(text).substr(begin, end - begin));
        if (line >= 0 && line <= step)
            kept.append(text, begin, end + 1 - begin);
    }
    if (kept != text)
        writeAtomically(path, kept);
}

} // namespace headscope
