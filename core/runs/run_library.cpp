#include "core/runs/run_library.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/open_model.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/runs/run_lock.h"
#include "core/runs/series/series_list.h"
#include "core/runs/timeline.h"
#include "core/train/files/run_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kTrash = ".trash";
constexpr std::uint64_t kNotesLimit = 1 << 20;

fs::path notesPath(const fs::path& run)
{
    return run / "notes.txt";
}

std::string readNotes(const fs::path& run)
{
    return readFileOrNothing(notesPath(run), kNotesLimit);
}

std::optional<double> finiteOrNone(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void readCurves(RunSummary& summary, const RunCurves& curves)
{
    for (const LogLine& line : curves.lines) {
        summary.step = std::max(summary.step, line.step);
        summary.loss = finiteOrNone(line.loss);
        if (std::isfinite(line.validationLoss)) {
            summary.validationLoss = line.validationLoss;
            summary.validationAccuracy = finiteOrNone(line.validationAccuracy);
        }
    }
}

bool hasDiverged(const RunSummary& summary, const RunCurves& curves)
{
    return std::ranges::any_of(curves.events, [&](const RunEvent& event) {
        return event.kind == RunEvent::Kind::Diverged && event.step >= summary.step;
    });
}

/// A number of the configuration, or 0.
template<class Number>
Number numberOf(const nlohmann::json& config, const char* key)
{
    const auto found = config.find(key);
    return found != config.end() && found->is_number_integer() ? found->get<Number>() : Number{0};
}

std::string adviceWithout(const SnapshotRecord& damaged, const Timeline& timeline)
{
    const auto& all = timeline.snapshots();
    const auto usable = std::find_if(all.rbegin(), all.rend(), [&](const SnapshotRecord& snapshot) {
        return snapshot.isExact && snapshot.step < damaged.step;
    });
    return usable == all.rend()
               ? "Fork from an earlier snapshot, or start the run again in a new folder"
               : fmt::format("Delete this file to resume from step {}", usable->step);
}

/// Throws FormatError unless the newest snapshot has whole files; their numbers are not read.
void requireWhole(const RunDirectory& directory, const Timeline& timeline)
{
    const SnapshotRecord& newest = timeline.snapshots().back();
    std::vector<fs::path> files{directory.checkpointPath(newest.step)};
    if (newest.isExact)
        files.push_back(directory.optimizerPath(newest.step));
    for (const fs::path& file : files) {
        try {
            SafetensorsFile::open(file);
        } catch (const FormatError& error) {
            throw FormatError("the newest checkpoint is damaged: " + error.problem(), file.string(),
                              std::nullopt, adviceWithout(newest, timeline));
        }
    }
}

/// True if the folder contains any file of a training run, even if half-deleted.
bool resemblesRun(const fs::path& folder)
{
    std::error_code error;
    return fs::is_directory(folder, error) && !isHuggingFaceFolder(folder) &&
           (fs::exists(folder / "config.json", error) || fs::exists(folder / "run.json", error) ||
            fs::exists(folder / "log.jsonl", error) ||
            fs::is_directory(folder / "checkpoints", error));
}

/// True for a run, a folder of checkpoints, and a list of them that is named as a text.
bool isListed(const fs::path& path)
{
    std::error_code error;
    return resemblesRun(path) ||
           ((path.extension() == ".txt" || fs::is_directory(path, error)) && isSeries(path));
}

void fillSeries(RunSummary& summary)
{
    summary.step = listSeries(summary.path).back().step;
    summary.state = RunSummary::State::Series;
}

void fill(RunSummary& summary)
{
    if (RunLibrary::isForeignSeries(summary.path))
        return fillSeries(summary);
    const RunDirectory directory = RunDirectory::open(summary.path);
    summary.config = directory.config();
    summary.seed = numberOf<std::uint64_t>(summary.config, "seed");
    summary.steps = numberOf<std::int64_t>(summary.config, "steps");
    summary.notes = readNotes(summary.path);
    const RunCard card = readRunCard(summary.path);
    summary.device = card.device;
    summary.started = card.started;
    summary.origin = card.origin;
    const RunCurves curves = RunCurves::read(summary.path);
    readCurves(summary, curves);
    const Timeline timeline(summary.path);
    if (!timeline.snapshots().empty())
        summary.step = std::max(summary.step, timeline.snapshots().back().step);
    using State = RunSummary::State;
    if (RunLock::isTaken(summary.path)) {
        summary.state = State::Running;
        return;
    }
    if (timeline.snapshots().empty())
        throw FormatError("the training run has no snapshot left", summary.path.string(),
                          std::nullopt, "Delete it, or start it again in a new folder");
    requireWhole(directory, timeline);
    if (hasDiverged(summary, curves))
        summary.state = State::Diverged;
    else
        summary.state =
            timeline.snapshots().back().step >= summary.steps ? State::Finished : State::Stopped;
}

void flatten(const nlohmann::json& value, const std::string& key,
             std::map<std::string, std::string>& flat)
{
    if (!value.is_object()) {
        flat[key] = value.is_string() ? value.get<std::string>() : value.dump();
        return;
    }
    for (const auto& [name, part] : value.items())
        flatten(part, key.empty() ? name : key + "." + name, flat);
}

void moveFolder(const fs::path& from, const fs::path& to)
{
    std::error_code error;
    fs::create_directories(to.parent_path(), error);
    if (!error)
        fs::rename(from, to, error);
    if (error)
        throw Error("cannot move the training run: " + error.message(), from.string(),
                    "Choose a writable library folder");
}

} // namespace

std::string nameOf(RunSummary::State state)
{
    constexpr const char* names[] = {"running",  "finished", "stopped",
                                     "diverged", "damaged",  "series"};
    return names[static_cast<std::size_t>(state)];
}

std::vector<ConfigDifference> compareConfigs(const nlohmann::json& first,
                                             const nlohmann::json& second)
{
    std::map<std::string, std::string> left;
    std::map<std::string, std::string> right;
    flatten(first, "", left);
    flatten(second, "", right);
    std::vector<ConfigDifference> differences;
    for (const auto& [key, value] : left) {
        const auto other = right.find(key);
        if (other == right.end() || other->second != value)
            differences.push_back({key, value, other == right.end() ? "" : other->second});
    }
    for (const auto& [key, value] : right) {
        if (!left.contains(key))
            differences.push_back({key, "", value});
    }
    std::ranges::sort(differences, [](const auto& a, const auto& b) { return a.key < b.key; });
    return differences;
}

bool RunLibrary::isForeignSeries(const fs::path& path)
{
    return !resemblesRun(path) && isSeries(path);
}

RunSummary RunLibrary::summary(const fs::path& run)
{
    RunSummary summary;
    summary.path = run;
    summary.name = run.filename().string();
    try {
        fill(summary);
    } catch (const Error& error) {
        summary.state = RunSummary::State::Damaged;
        summary.problem = error.what();
    }
    return summary;
}

std::vector<fs::path> RunLibrary::paths() const
{
    if (isForeignSeries(m_folder))
        return {m_folder};
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator it(m_folder, error), end; !error && it != end;
         it.increment(error)) {
        if (it->path().filename() != kTrash && isListed(it->path()))
            folders.push_back(it->path());
    }
    std::ranges::sort(folders);
    return folders;
}

std::vector<RunSummary> RunLibrary::runs() const
{
    std::vector<RunSummary> runs;
    for (const fs::path& folder : paths())
        runs.push_back(summary(folder));
    return runs;
}

fs::path RunLibrary::freshPath(const std::string& name) const
{
    std::error_code error;
    fs::path path = m_folder / name;
    for (int number = 2; fs::exists(path, error); ++number)
        path = m_folder / fmt::format("{}-{}", name, number);
    return path;
}

void RunLibrary::setNotes(const fs::path& run, const std::string& notes)
{
    writeAtomically(notesPath(run), notes);
}

fs::path RunLibrary::remove(const fs::path& run) const
{
    if (isForeignSeries(run))
        throw Error("these checkpoints are not Headscope's", run.string(),
                    "Delete them in a file manager");
    if (RunLock::isTaken(run))
        throw Error("the training run is in progress", run.string(), "Stop it first");
    const RunLibrary trash(m_folder / kTrash);
    const fs::path place = trash.freshPath(run.filename().string());
    moveFolder(run, place);
    writeAtomically(place / "trashed.txt", run.filename().string());
    return place;
}

fs::path RunLibrary::restore(const fs::path& trashed) const
{
    std::error_code error;
    const fs::path note = trashed / "trashed.txt";
    const std::string name =
        fs::exists(note, error) ? readFile(note, kNotesLimit) : trashed.filename().string();
    const fs::path place = m_folder / fs::path(name).filename();
    if (fs::exists(place, error))
        throw Error("another training run has this name now", place.string(),
                    "Rename that one first");
    moveFolder(trashed, place);
    fs::remove(place / "trashed.txt", error);
    return place;
}

} // namespace headscope
