#include "core/runs/live_run.h"

#include "core/base/atomic_write.h"
#include "core/base/file.h"
#include "core/runs/json_lines.h"
#include "core/runs/live_state.h"
#include "core/runs/run_card.h"
#include "core/runs/run_curves.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kTokenizerLimit = 1ULL << 30;
constexpr std::uint64_t kLogLimit = 1ULL << 30;

/// Called before the data are prepared, which may take a minute.
void requireUsableFolder(const fs::path& folder)
{
    if (!RunDirectory::isFree(folder))
        throw Error("a file or folder of this name already exists", folder.string(),
                    "Choose a new folder, or resume with --resume");
}

std::string tokenizerText(const PreparedData& data)
{
    return data.tokenizer ? toTokenizerJson(*data.tokenizer) : std::string();
}

/// The training text must not have changed since the run began.
void requireSameTokenizer(const RunDirectory& run, const PreparedData& data)
{
    const fs::path path = run.path() / "checkpoints" / "tokenizer.json";
    if (readFileOrNothing(path, kTokenizerLimit) != tokenizerText(data))
        throw Error("the data of the training run give a different vocabulary than at its start",
                    path.string(),
                    "Restore the original text and tokenizer, or start a new training run");
}

TrainingConfig storedConfig(const RunDirectory& run)
{
    return trainingConfigFromJson(run.config(), (run.path() / "config.json").string());
}

/// A run of an older version lacks keys added since; their defaults are compared.
void requireSameConfig(const RunDirectory& run, const TrainingConfig& wanted)
{
    TrainingConfig stored = storedConfig(run);
    stored.steps = wanted.steps;
    stored.evalEvery = wanted.evalEvery;
    stored.checkpointEvery = wanted.checkpointEvery;
    stored.logEvery = wanted.logEvery;
    if (toJson(stored) != toJson(wanted))
        run.requireSameConfig(toJson(wanted));
}

Timeline::Keep keepOf(const TrainingConfig& config, const LiveRunOptions& options)
{
    return {options.timelineBudget, config.checkpointEvery};
}

/// State of the newest step whose files are complete: a power failure may have damaged later ones.
/// The initial state for a run interrupted before its first snapshot.
TrainingState resumedState(const RunDirectory& run, const RunCard& card,
                           const TrainingConfig& config, const PreparedData& data)
{
    std::vector<std::int64_t> steps = run.optimizerSteps();
    std::optional<FormatError> problem;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        std::error_code error;
        if (!fs::exists(run.checkpointPath(*step), error))
            continue;
        try {
            return run.load(*step, data.model, config.seed);
        } catch (const FormatError& damaged) {
            if (!problem)
                problem = damaged;
        }
    }
    if (problem)
        throw *problem;
    if (card.origin)
        throw Error("the fork was interrupted before its first snapshot", run.path().string(),
                    "Delete it and fork again");
    if (!run.checkpointSteps().empty() && run.checkpointSteps().back() > 0)
        throw Error("the training run has snapshots, but none with the optimizer state",
                    run.path().string(), "Fork it from one of the snapshots");
    return initialState(data.model, config.seed);
}

/// Copies lines of steps up to `step`, unchanged.
void copyLines(const fs::path& from, const fs::path& to, std::int64_t step)
{
    std::error_code error;
    if (!fs::exists(from, error))
        return;
    writeAtomically(to, readFile(from, kLogLimit));
    keepJsonLines(to, [step](const nlohmann::json& line) {
        return stepOf(line) >= 0 && stepOf(line) <= step;
    });
}

} // namespace

DivergedError::DivergedError(const Error& cause, std::int64_t began, std::string layer,
                             std::optional<std::int64_t> lastGood)
    : Error(cause.problem() +
                (layer.empty() || cause.problem().find(layer) != std::string::npos
                     ? std::string()
                     : fmt::format(", first in {} as at step {}", layer, lastGood.value_or(0))),
            cause.where(),
            fmt::format("It began with update {}: lower the learning rate or clip the gradients{}",
                        began,
                        lastGood ? fmt::format(", and resume from step {}, the last good "
                                               "snapshot",
                                               *lastGood)
                                 : std::string()))
    , m_step(began)
    , m_layer(std::move(layer))
    , m_lastGood(lastGood)
{
}

LiveRun::LiveRun(std::unique_ptr<LiveState> state) : m_state(std::move(state)) {}

LiveRun::LiveRun(LiveRun&&) noexcept = default;
LiveRun& LiveRun::operator=(LiveRun&&) noexcept = default;
LiveRun::~LiveRun() = default;

LiveRun LiveRun::create(const TrainingConfig& config, const LiveRunOptions& options)
{
    requireUsableFolder(options.folder);
    PreparedData data = prepareData(config, options.say, options.stop, options.done);
    const std::string tokenizer = tokenizerText(data);
    TrainingState state = initialState(data.model, config.seed);
    auto live = std::make_unique<LiveState>(
        LiveState::Parts{config, options, std::move(data), std::move(state), {}, true});
    const RunDirectory directory =
        RunDirectory::create(options.folder, toJson(config), tokenizer,
                             toJsonText({options.device, timeNow(), std::nullopt}));
    RunLock lock(options.folder);
    live->attach(RunStore(directory, std::move(lock), keepOf(config, options)));
    live->save();
    return LiveRun(std::move(live));
}

LiveRun LiveRun::resume(const LiveRunOptions& options, const std::optional<TrainingConfig>& config)
{
    const RunDirectory directory = RunDirectory::open(options.folder);
    const RunCard card = readRunCard(options.folder);
    RunLock lock(options.folder);
    if (config)
        requireSameConfig(directory, *config);
    const TrainingConfig used = config ? *config : storedConfig(directory);
    PreparedData data = prepareData(used, options.say, options.stop, options.done);
    requireSameTokenizer(directory, data);
    TrainingState state = resumedState(directory, card, used, data);
    const std::int64_t step = state.step;
    RunStore store(directory, std::move(lock), keepOf(used, options));
    store.cutAfter(step);
    auto live = std::make_unique<LiveState>(
        LiveState::Parts{used, options, std::move(data), std::move(state),
                         readEvents(options.folder), !card.origin || card.origin->isExact});
    live->attach(std::move(store));
    live->save();
    live->record({RunEvent::Kind::Resumed, step, fmt::format("resumed at step {}", step)});
    return LiveRun(std::move(live));
}

LiveRun LiveRun::fork(const fs::path& from, std::int64_t step, const LiveRunOptions& options)
{
    requireUsableFolder(options.folder);
    const RunDirectory source = RunDirectory::open(from);
    readRunCard(from);
    const Timeline timeline(from);
    const SnapshotRecord* const snapshot = timeline.at(step);
    if (snapshot == nullptr || snapshot->step != step)
        throw Error(fmt::format("the training run has no snapshot of step {}", step), from.string(),
                    snapshot == nullptr
                        ? "Choose an existing one"
                        : fmt::format("The nearest earlier one is step {}", snapshot->step));
    const bool isExact = snapshot->isExact;
    const TrainingConfig config = storedConfig(source);
    PreparedData data = prepareData(config, options.say, options.stop, options.done);
    requireSameTokenizer(source, data);
    TrainingState state =
        isExact ? source.load(step, data.model, config.seed) : source.loadWeights(step, data.model);
    std::vector<RunEvent> events = readEvents(from);
    std::erase_if(events, [step](const RunEvent& event) { return event.step > step; });
    const std::string tokenizer = tokenizerText(data);
    auto live = std::make_unique<LiveState>(LiveState::Parts{
        config, options, std::move(data), std::move(state), std::move(events), isExact});
    std::error_code error;
    const fs::path absolute = fs::absolute(from, error);
    const RunOrigin origin{(error ? from : absolute).string(), step, isExact};
    const RunDirectory directory =
        RunDirectory::create(options.folder, source.config(), tokenizer,
                             toJsonText({options.device, timeNow(), origin}));
    RunLock lock(options.folder);
    for (const char* file : {"log.jsonl", "scores.jsonl", "events.jsonl"})
        copyLines(from / file, options.folder / file, step);
    live->attach(RunStore(directory, std::move(lock), keepOf(config, options)));
    live->record(
        {RunEvent::Kind::Forked, step,
         fmt::format("forked from step {} of {}{}", step, from.filename().string(),
                     isExact ? ""
                             : ": only the weights were left, so the optimizer starts fresh")});
    live->save();
    return LiveRun(std::move(live));
}

LivePoint LiveRun::step()
{
    return m_state->step();
}

std::int64_t LiveRun::stepsDone() const
{
    return m_state->stepsDone();
}

std::int64_t LiveRun::steps() const
{
    return m_state->steps;
}

void LiveRun::setSteps(std::int64_t steps)
{
    m_state->steps = steps;
}

const LiveSettings& LiveRun::settings() const
{
    return m_state->settings();
}

void LiveRun::change(const LiveSettings& settings)
{
    m_state->change(settings);
}

void LiveRun::save()
{
    m_state->save();
}

void LiveRun::pin(std::int64_t step, bool pinned)
{
    m_state->pin(step, pinned);
}

std::shared_ptr<const Model> LiveRun::model() const
{
    return m_state->model();
}

const TrainingConfig& LiveRun::config() const
{
    return m_state->config;
}

const PreparedData& LiveRun::data() const
{
    return m_state->data;
}

const fs::path& LiveRun::folder() const
{
    return m_state->store().directory().path();
}

const Timeline& LiveRun::timeline() const
{
    return m_state->store().timeline();
}

const HeadCurves& LiveRun::headCurves() const
{
    return m_state->headCurves();
}

const std::vector<RunEvent>& LiveRun::events() const
{
    return m_state->events();
}

bool LiveRun::isExactFork() const
{
    return m_state->isExact;
}

} // namespace headscope
