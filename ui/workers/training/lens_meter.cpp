#include "ui/workers/training/lens_meter.h"

#include "core/base/error.h"
#include "ui/workers/error_sentence.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr TraceKey kLogits{Site::Logits, 0};

TokenId largestOf(std::span<const float> logits)
{
    return static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin());
}

/// Top-1 prediction after each token, from the logits of the trace.
std::vector<std::optional<TokenId>> answers(const Trace& trace)
{
    std::vector<std::optional<TokenId>> ids(trace.tokens().size());
    trace.forEachRow(kLogits, [&](std::int64_t token, std::span<const float> row) {
        ids[static_cast<std::size_t>(token)] = largestOf(row);
    });
    return ids;
}

std::optional<TokenId> lastAnswer(const Trace& trace)
{
    const std::int64_t tokens = std::ssize(trace.tokens().tokens);
    const ActivationRows row = trace.findRows(kLogits, tokens - 1);
    return row ? std::optional(largestOf(row[0])) : std::nullopt;
}

std::vector<std::optional<TokenId>> targetsOf(const LensTarget& target, const Model& model,
                                              const Trace& trace)
{
    if (target.kind == LensTarget::Kind::Answer)
        return answers(trace);
    if (target.kind == LensTarget::Kind::Following) {
        auto following = followingTokens(model.config(), trace);
        if (!following.empty() && !following.back()) // not read yet
            following.back() = lastAnswer(trace);
        return following;
    }
    std::vector<std::optional<TokenId>> ids(trace.tokens().size());
    if (target.id >= 0 && target.id < model.config().vocabularySize)
        std::fill(ids.begin(), ids.end(), target.id);
    return ids;
}

std::int64_t costOf(const std::shared_ptr<const Model>& model, const TracePtr& trace)
{
    if (!model || !trace)
        return 0;
    const ModelConfig& config = model->config();
    return static_cast<std::int64_t>(trace->tokens().size() * lensStages(config).size()) *
           config.dModel * config.vocabularySize;
}

/// True when the unembedding takes only a few milliseconds.
bool isSmall(const LensJob& job)
{
    constexpr std::int64_t kMultiplyAdds = 30'000'000;
    return costOf(job.modelA, job.a) + costOf(job.modelB, job.b) <= kMultiplyAdds;
}

} // namespace

LensReading readLens(const LensJob& job, const std::function<void(double)>& progress,
                     const std::stop_token& stop)
{
    LensReading reading;
    const double runs = job.b ? 2.0 : 1.0;
    double before = 0.0;
    const auto read = [&](const Model& model, const Trace& trace) {
        StreamLensOptions options;
        options.halfSteps = job.halfSteps;
        options.tuned = job.tuned.get();
        // For B, A's answers are used where positions are the same, so that B − A compares the same
        // token.
        const bool asA =
            job.a && job.modelA == job.modelB && job.a->tokens().size() == trace.tokens().size();
        options.targets = targetsOf(job.target, model, trace);
        const std::vector<std::optional<TokenId>> ofA =
            asA ? targetsOf(job.target, model, *job.a) : options.targets;
        if (job.target.kind == LensTarget::Kind::Answer)
            options.targets = ofA;
        else if (!ofA.empty())
            options.targets.back() = ofA.back();
        if (progress)
            options.progress = [&](std::int64_t done, std::int64_t all) {
                progress(before + static_cast<double>(done) / static_cast<double>(all) / runs);
            };
        StreamLens lens = streamLens(model, trace, options, stop);
        before += 1.0 / runs;
        return lens;
    };
    try {
        if (job.a && job.modelA && job.modelA->config().languageHead)
            reading.a = read(*job.modelA, *job.a);
        if (job.b && job.modelB && job.modelB->config().languageHead &&
            (!job.tuned || job.modelB == job.modelA))
            reading.b = read(*job.modelB, *job.b);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        reading.problem = errorSentence(error).toStdString();
    }
    return reading;
}

void LensMeter::measure(const LensJob& job)
{
    if (job == m_wanted)
        return;
    m_wanted = job;
    m_task.cancel();
    m_fraction = 0.0;
    if (isSmall(job)) // avoids showing an empty page first
        return take(job, readLens(job));
    m_task.start(
        [this, job](const LatestTask::Control& control) {
            int reported = 0;
            const auto tell = [&](double fraction) {
                const auto percent = static_cast<int>(100.0 * fraction);
                if (std::exchange(reported, percent) == percent)
                    return;
                control.tell([this, fraction] {
                    m_fraction = fraction;
                    emit advanced();
                });
            };
            return readLens(job, tell, control.stop());
        },
        [this, job](const LensReading& reading) { take(job, reading); });
}

void LensMeter::take(const LensJob& job, LensReading reading)
{
    m_subject = job;
    m_reading = std::make_shared<const LensReading>(std::move(reading));
    emit measured();
}

void LensMeter::cancel()
{
    if (!isMeasuring())
        return;
    m_task.cancel();
    emit measured();
}

} // namespace headscope::ui
