#include "core/runs/live_state.h"

#include "core/base/json_text.h"
#include "core/base/quick_writes.h"
#include "core/base/stopwatch.h"
#include "core/runs/explosion.h"
#include "core/runs/json_lines.h"
#include "core/runs/jumps.h"
#include "core/runs/resized_batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Loss of a uniform guess, nats per token.
double evenGuess(const ModelConfig& model)
{
    return std::max(1.0,
                    std::log(static_cast<double>(std::max<std::int64_t>(model.vocabularySize, 2))));
}

/// About 100 snapshots and 100 measurements of the heads per run, and never more often than every
/// ten steps after the dense beginning: both together take less than 3 % of the training.
std::int64_t interval(std::int64_t steps, std::int64_t parts)
{
    return std::clamp<std::int64_t>(steps / parts, 10, 1000);
}

/// True if something that happens every `every` steps is due; it always is at the last step.
bool isDue(std::int64_t step, std::int64_t every, std::int64_t steps)
{
    return step == steps || (every > 0 && step % every == 0);
}

bool isFinite(const TrainingState& state)
{
    const auto finite = [](const ParameterSet& set) {
        return std::ranges::all_of(set.values(), [](float value) { return std::isfinite(value); });
    };
    return finite(state.parameters) && finite(state.firstMoment) && finite(state.secondMoment);
}

} // namespace

LiveState::LiveState(Parts parts)
    : config(std::move(parts.config))
    , options(std::move(parts.options))
    , data(std::move(parts.data))
    , isExact(parts.isExact)
    , steps(options.steps.value_or(config.steps))
    , m_batches(data.batches)
    , m_settings(liveSettingsOf(config))
    , m_lastCalm(parts.state.step)
{
    m_metadata["training"] = dumpJson(toJson(config));
    LiveSettings wanted = m_settings;
    for (RunEvent& event : parts.events) {
        const bool isLater = event.step > parts.state.step;
        if (!isLater && event.settings)
            wanted = *event.settings;
        (isLater ? m_planned : m_events).push_back(std::move(event));
    }
    m_trainer = makeTrainer(std::move(parts.state), m_settings);
    apply(wanted);
    if (options.watchesHeads) {
        m_probe.emplace(data);
        m_backend = options.makeBackend();
    }
}

std::unique_ptr<Trainer> LiveState::makeTrainer(TrainingState state,
                                                const LiveSettings& settings) const
{
    Trainer::Settings wanted;
    wanted.optimizer = config.optimizer;
    wanted.optimizer.learningRate = settings.learningRate;
    wanted.schedule = config.schedule;
    wanted.loss = config.loss;
    wanted.accumulate = config.accumulate;
    wanted.seed = config.seed;
    wanted.largestLoss = 20.0 * evenGuess(data.model);
    wanted.makeBackend = options.makeBackend;
    wanted.batchPart = options.batchPart;
    ModelConfig model = data.model;
    model.dropout = settings.dropout;
    return std::make_unique<Trainer>(model, std::move(state), std::move(wanted));
}

void LiveState::attach(RunStore store)
{
    m_store.emplace(std::move(store));
    m_curves = HeadCurves::read(m_store->directory().path());
}

void LiveState::apply(const LiveSettings& settings)
{
    if (settings.dropout != m_settings.dropout)
        m_trainer = makeTrainer(m_trainer->takeState(), settings);
    m_trainer->setLearningRate(settings.learningRate);
    if (settings.batchSize != m_settings.batchSize)
        m_batches = settings.batchSize == config.batchSize
                        ? data.batches
                        : std::make_shared<ResizedBatches>(data.batches, settings.batchSize);
    m_settings = settings;
}

/// Repeats the changes that the run made before it was interrupted, at the same steps.
void LiveState::applyPlanned()
{
    while (!m_planned.empty() && m_planned.front().step <= stepsDone()) {
        if (m_planned.front().settings)
            apply(*m_planned.front().settings);
        m_newEvents.push_back(m_planned.front()); // it is in the file already
        m_events.push_back(m_planned.front());
        m_planned.erase(m_planned.begin());
    }
}

void LiveState::record(RunEvent event)
{
    m_store->add("events.jsonl", dumpJson(toJson(event)));
    m_newEvents.push_back(event);
    m_events.push_back(std::move(event));
}

void LiveState::change(const LiveSettings& settings)
{
    checkLiveSettings(settings, config);
    applyPlanned();
    if (settings == m_settings && m_planned.empty())
        return;
    if (!m_planned.empty()) {
        keepJsonLines(m_store->directory().path() / "events.jsonl",
                      [&](const nlohmann::json& line) { return stepOf(line) <= stepsDone(); });
        m_planned.clear();
    }
    if (settings == m_settings)
        return;
    RunEvent event{RunEvent::Kind::SettingsChanged, stepsDone(),
                   describeChange(m_settings, settings)};
    event.settings = settings;
    record(std::move(event));
    m_store->flush();
    apply(settings);
}

void LiveState::save()
{
    m_store->flush();
    if (!m_store->hasExact(stepsDone()))
        m_store->save(data.model, m_trainer->state(), config.seed, m_metadata);
}

void LiveState::pin(std::int64_t step, bool pinned)
{
    m_store->timeline().setPinned(step, pinned);
    record({pinned ? RunEvent::Kind::Pinned : RunEvent::Kind::Unpinned, step,
            fmt::format("step {} is {}", step, pinned ? "pinned" : "no longer pinned")});
    m_store->flush();
}

std::shared_ptr<const Model> LiveState::model() const
{
    return std::make_shared<const Model>(data.model, m_trainer->state().parameters);
}

/// Called before an error is rethrown, which says more than that the disk is full as well.
void LiveState::keepWhatIsGood()
{
    try {
        m_store->flush();
        if (isFinite(m_trainer->state()))
            save();
    } catch (const Error&) { // queued lines stay queued
    }
}

void LiveState::diverge(const TrainingDiverged& cause, const Batch& batch)
{
    const Timeline& timeline = m_store->timeline();
    const SnapshotRecord* const good = timeline.at(m_lastCalm);
    std::string layer = cause.layer();
    if (layer.empty() && good != nullptr)
        layer = firstExploded(*model(), *timeline.load(good->step), *options.makeBackend(), batch);
    const DivergedError error(cause, m_lastCalm + 1, layer,
                              good != nullptr ? std::optional(good->step) : std::nullopt);
    record({RunEvent::Kind::Diverged, stepsDone(), error.what()});
    keepWhatIsGood();
    throw error;
}

/// Throws Error when the data can no longer be read: weights and log of the steps before are kept.
Batch LiveState::nextBatch()
{
    try {
        return m_batches->trainingBatch(config.seed, stepsDone());
    } catch (const Error&) {
        keepWhatIsGood();
        throw;
    }
}

StepReport LiveState::advance(const Batch& batch)
{
    try {
        const StepReport report = m_trainer->step(batch);
        if (report.loss < 2.0 * evenGuess(data.model))
            m_lastCalm = report.step - 1;
        return report;
    } catch (const TrainingDiverged& cause) {
        diverge(cause, batch);
    } catch (const Error&) { // a lost device, or no memory left
        keepWhatIsGood();
        throw;
    }
}

void LiveState::evaluateAndLog(LivePoint& point)
{
    const std::int64_t step = point.progress.report.step;
    TrainingProgress& line = point.progress;
    line.isSmoothed = config.loss.labelSmoothing > 0.0;
    const bool evaluates = isDue(step, m_settings.evalEvery, steps);
    if (evaluates) {
        if (const auto result = validate(*m_trainer, *data.batches)) {
            line.validationLoss = result->loss;
            line.validationAccuracy = result->accuracy;
        }
    }
    point.isLogged = evaluates || isDue(step, m_settings.logEvery, steps);
    if (!point.isLogged)
        return;
    line.layerNorms = m_trainer->gradientNorms();
    line.tokensPerSecond = static_cast<double>(m_tokens) / std::max(m_seconds, 1e-9);
    m_tokens = 0;
    m_seconds = 0.0;
    m_store->add("log.jsonl", toJsonLine(line));
}

void LiveState::measureHeads(LivePoint& point)
{
    const std::int64_t step = point.progress.report.step;
    const std::int64_t every = interval(config.steps, 100);
    if (!m_probe || (!isSnapshotDue(step, every) && step != steps))
        return;
    point.scores =
        std::make_shared<const HeadScorePoint>(m_probe->measure(*model(), step, *m_backend));
    m_curves.add(*point.scores);
    m_store->add("scores.jsonl", toJsonLine(*point.scores));
    if (m_curves.points().size() % 5 == 0 || step == steps)
        noteJumps();
}

/// Jumps are detected some points after they happened; each is recorded once.
void LiveState::noteJumps()
{
    const std::int64_t near = std::max<std::int64_t>(steps / 10, 1);
    JumpSettings settings;
    settings.onlySettled = stepsDone() < steps;
    for (const Jump& jump : findJumps(m_curves, settings)) {
        const bool isKnown = std::ranges::any_of(m_events, [&](const RunEvent& event) {
            return event.kind == RunEvent::Kind::Jump && event.curve == jump.curve &&
                   event.layer == jump.place->layer && event.head == jump.place->head &&
                   std::abs(event.step - jump.step) <= near;
        });
        if (isKnown)
            continue;
        record({RunEvent::Kind::Jump, jump.step, describe(jump), jump.curve, jump.place->layer,
                jump.place->head});
    }
}

LivePoint LiveState::step()
{
    if (stepsDone() >= steps)
        throw Error(fmt::format("all {} steps are done", steps), options.folder.string(),
                    "Choose more steps");
    applyPlanned();
    const Stopwatch watch;
    LivePoint point;
    point.progress.report = advance(nextBatch());
    m_tokens += point.progress.report.tokens;
    m_seconds += watch.seconds();

    evaluateAndLog(point);
    measureHeads(point);
    point.isSaved = isSnapshotDue(stepsDone(), interval(config.steps, 100));
    if (isDue(stepsDone(), config.checkpointEvery, steps)) {
        save();
        point.isSaved = true;
    } else if (point.isSaved) {
        const ScopedQuickWrites quick; // it can be recomputed from the previous one
        save();
    }
    m_store->flush();
    point.events = std::exchange(m_newEvents, {});
    m_secondsTrained += watch.seconds();
    ++m_stepsHere;
    point.secondsTrained = m_secondsTrained;
    point.secondsLeft = m_secondsTrained / static_cast<double>(m_stepsHere) *
                        static_cast<double>(steps - stepsDone());
    return point;
}

} // namespace headscope
