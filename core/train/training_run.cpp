#include "core/train/training_run.h"

#include "core/base/error.h"
#include "core/ops/cross_entropy.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headscope {

namespace {

TrainingState startingState(const TrainingRunSettings& settings, const RunDirectory& directory)
{
    const std::uint64_t seed = settings.trainer.seed;
    if (const auto newest = directory.newestStep()) {
        directory.cutLog(*newest);
        return directory.load(*newest, settings.model, seed);
    }
    directory.cutLog(0);
    TrainingState state;
    state.parameters = settings.initial ? *settings.initial
                                        : Model::initialised(settings.model, seed).parameters();
    return state;
}

bool isFinite(const TrainingState& state)
{
    const auto finite = [](const ParameterSet& set) {
        return std::ranges::all_of(set.values(), [](float value) { return std::isfinite(value); });
    };
    return finite(state.parameters) && finite(state.firstMoment) && finite(state.secondMoment);
}

/// Whether something that happens every `every` steps is due; the last step always is.
bool isDue(std::int64_t step, std::int64_t every, std::int64_t steps)
{
    return step == steps || (every > 0 && step % every == 0);
}

class RunLoop
{
public:
    RunLoop(const TrainingRunSettings& settings, const BatchSource& batches,
            const RunDirectory& directory)
        : m_settings(settings)
        , m_batches(batches)
        , m_directory(directory)
        , m_trainer(settings.model, startingState(settings, directory), settings.trainer)
    {
        if (m_trainer.state().step == 0)
            save();
    }

    TrainingResult train(const std::function<void(const TrainingProgress&)>& progress,
                         const std::stop_token& stop)
    {
        while (m_trainer.state().step < m_settings.steps && !stop.stop_requested())
            advance(progress);
        if (m_savedStep != m_trainer.state().step)
            save();
        TrainingResult result;
        result.step = m_trainer.state().step;
        result.validationLoss = m_lastValidationLoss;
        result.checkpoint = m_directory.checkpointPath(result.step);
        result.stopped = result.step < m_settings.steps;
        return result;
    }

private:
    void save()
    {
        const TrainingState& state = m_trainer.state();
        m_directory.save(m_settings.model, state, m_settings.trainer.seed, m_settings.metadata);
        m_savedStep = state.step;
    }

    StepReport step(const Batch& batch)
    {
        try {
            return m_trainer.step(batch);
        } catch (const Error&) {
            if (m_savedStep != m_trainer.state().step && isFinite(m_trainer.state()))
                save();
            throw;
        }
    }

    void advance(const std::function<void(const TrainingProgress&)>& progress)
    {
        const auto start = std::chrono::steady_clock::now();
        const Batch batch =
            m_batches.trainingBatch(m_settings.trainer.seed, m_trainer.state().step);
        TrainingProgress line;
        line.report = step(batch);
        line.isSmoothed = m_settings.trainer.loss.labelSmoothing > 0.0;
        m_tokens += line.report.tokens;
        m_seconds +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

        const std::int64_t step = line.report.step;
        const bool evaluates = isDue(step, m_settings.evalEvery, m_settings.steps);
        if (evaluates)
            line.validationLoss = m_lastValidationLoss = validationLoss(m_trainer, m_batches);
        if (evaluates || isDue(step, m_settings.logEvery, m_settings.steps))
            report(line, progress);
        if (isDue(step, m_settings.checkpointEvery, m_settings.steps))
            save();
    }

    void report(TrainingProgress& line,
                const std::function<void(const TrainingProgress&)>& progress)
    {
        line.tokensPerSecond = static_cast<double>(m_tokens) / std::max(m_seconds, 1e-9);
        m_tokens = 0;
        m_seconds = 0.0;
        m_directory.appendLog(toJsonLine(line));
        if (progress)
            progress(line);
    }

    const TrainingRunSettings& m_settings;
    const BatchSource& m_batches;
    const RunDirectory& m_directory;
    Trainer m_trainer;
    std::int64_t m_savedStep = 0;
    std::optional<double> m_lastValidationLoss;
    std::int64_t m_tokens = 0; ///< since the last line
    double m_seconds = 0.0;    ///< since the last line
};

} // namespace

std::string toJsonLine(const TrainingProgress& progress)
{
    const auto orNull = [](const std::optional<double>& value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    };
    const LossParts& parts = progress.report.parts;
    nlohmann::ordered_json line;
    line["step"] = progress.report.step;
    line["loss"] = progress.report.loss;
    line["val_loss"] = orNull(progress.validationLoss);
    line["lr"] = progress.report.learningRate;
    line["grad_norm"] = progress.report.gradientNorm;
    line["tokens_per_s"] = progress.tokensPerSecond;
    const auto perplexityOf = [&](const std::optional<double>& loss) {
        return orNull(loss ? std::optional(perplexity(*loss)) : std::nullopt);
    };
    line["perplexity"] =
        perplexityOf(progress.isSmoothed ? std::nullopt : std::optional(parts.token));
    line["val_perplexity"] = perplexityOf(progress.validationLoss);
    if (parts.nextSentence) {
        line["mlm"] = parts.token;
        line["nsp"] = *parts.nextSentence;
    }
    if (parts.balance)
        line["balance"] = *parts.balance;
    if (progress.validationAccuracy)
        line["val_accuracy"] = *progress.validationAccuracy;
    for (const GradientNorm& part : progress.layerNorms)
        line["layer_grad_norms"][part.layer] = part.norm;
    return line.dump();
}

std::optional<double> validationLoss(Trainer& trainer, const BatchSource& batches)
{
    const std::optional<Validation> result = validate(trainer, batches);
    return result ? std::optional(result->loss) : std::nullopt;
}

std::optional<Validation> validate(Trainer& trainer, const BatchSource& batches)
{
    double total = 0.0;
    std::int64_t targets = 0;
    std::int64_t right = 0;
    for (std::int64_t index = 0; index < batches.validationBatchCount(); ++index) {
        const Batch batch = batches.validationBatch(index);
        const std::int64_t kept = keptTargets(batch.targets);
        if (kept == 0)
            continue;
        const TargetCounts counts = trainer.measure(batch);
        total += counts.loss * static_cast<double>(kept);
        targets += kept;
        right += counts.right;
    }
    if (targets == 0)
        return std::nullopt;
    const auto count = static_cast<double>(targets);
    return Validation{total / count, static_cast<double>(right) / count};
}

TrainingResult runTraining(const TrainingRunSettings& settings, const BatchSource& batches,
                           const RunDirectory& directory,
                           const std::function<void(const TrainingProgress&)>& progress,
                           std::stop_token stop)
{
    if (settings.steps < 0 || settings.logEvery < 0 || settings.evalEvery < 0 ||
        settings.checkpointEvery < 0)
        throw ShapeError("runTraining: steps and intervals must not be negative");
    return RunLoop(settings, batches, directory).train(progress, stop);
}

} // namespace headscope
