#include "core/analysis/report/report_ablation.h"

#include "core/analysis/causal/hidden_state_sweep.h"
#include "core/analysis/report/named_token.h"
#include "core/analysis/report/rank_correlation.h"
#include "core/analysis/scores/gradient_importance.h"
#include "core/analysis/scores/undefined.h"
#include "core/base/error.h"
#include "core/ops/cross_entropy.h"
#include "core/text/text_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

constexpr std::size_t kFirst = 5; ///< Number of heads that a prediction names.

std::string methodOf(const ReportRequest& request)
{
    switch (request.replacement) {
    case Replacement::Mean:
        return "the head's output set to its mean over the text";
    case Replacement::Resample:
        return fmt::format("the head's output sampled from positions of the text with seed {}",
                           request.seed);
    case Replacement::Zero:
        break;
    }
    return "the head's output set to 0";
}

// ------------------------------------------------------------------------------------- predictions

/// One number per head, in the order of the effects.
void addPrediction(ReportAblation& ablation, std::string key, std::string title,
                   const std::vector<double>& values)
{
    std::vector<double> sizes;
    for (const ReportEffect& effect : ablation.effects)
        sizes.push_back(std::abs(effect.effect));
    ReportPrediction prediction{
        std::move(key), std::move(title), rankCorrelation(values, sizes), {}, values};
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t index) { return !std::isfinite(values[index]); });
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    order.resize(std::min(order.size(), kFirst));
    for (const std::size_t index : order)
        prediction.first.push_back(ablation.effects[index].head);
    if (!order.empty())
        ablation.predictions.push_back(std::move(prediction));
}

void addScore(ReportAblation& ablation, const HeadScoreTables& tables, HeadScore score)
{
    std::vector<double> values;
    for (const ReportEffect& effect : ablation.effects) {
        const auto table = tables.find(effect.head.attention);
        values.push_back(table == tables.end() ? kUndefined : table->second.at(effect.head, score));
    }
    addPrediction(ablation, std::string(infoOf(score).key), std::string(infoOf(score).title),
                  values);
}

/// Values [layers * heads] of self-attention in the stack that predicts, in the order of the
/// effects.
std::vector<double> byEffect(const ReportAblation& ablation, const std::vector<double>& values,
                             int heads)
{
    std::vector<double> ordered;
    for (const ReportEffect& effect : ablation.effects) {
        const auto place = static_cast<std::size_t>(effect.head.layer * heads + effect.head.head);
        const bool known = effect.head.attention != AttentionKind::Cross && place < values.size();
        ordered.push_back(known ? std::abs(values[place]) : kUndefined);
    }
    return ordered;
}

/// Predictions from weights and gradients, before any ablation.
void addImportance(ReportAblation& ablation, const ReportSweep& sweep, const CausalText& text,
                   const GradientTarget& metric)
{
    const Model& model = *sweep.request.model.model;
    try {
        const auto backend = sweep.backends();
        const ImportanceText one{{text.ids, text.source, text.segments}, metric};
        const HeadImportance importance =
            headImportance(model, {&one, 1}, *backend, nullptr, sweep.stop);
        addPrediction(ablation, "gradient", "Gradient \u00D7 output",
                      byEffect(ablation, importance.byGate, importance.heads));
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        // a model without a backward pass has no such prediction
    }
}

void addDirect(ReportAblation& ablation, const ReportSweep& sweep)
{
    if (!sweep.report.attribution)
        return;
    const LogitAttribution& parts = sweep.report.attribution->parts;
    addPrediction(ablation, "direct_logit", "Direct logit attribution",
                  byEffect(ablation, parts.headValues(), parts.heads));
}

// ------------------------------------------------------------------------------------- the sweeps

std::vector<ReportEffect> effectsOf(const AblationSweep& sweep)
{
    std::vector<ReportEffect> effects;
    for (const HeadEffect& effect : sweep.heads)
        effects.push_back({effect.head, effect.effect});
    return effects;
}

Progress progressOf(const ReportSweep& sweep)
{
    return Progress(sweep.stop,
                    [listener = sweep.listener](std::uint64_t done, std::uint64_t total) {
                        if (listener && total > 0)
                            listener(static_cast<double>(done) / static_cast<double>(total));
                    });
}

ReportAblation swept(const ReportSweep& sweep, const CausalText& text, const GradientTarget& metric)
{
    AblationRequest request;
    request.text = text;
    request.metric = metric;
    request.replacement = sweep.request.replacement;
    request.seed = sweep.request.seed;
    Progress progress = progressOf(sweep);
    const auto resumed = std::make_shared<const ResumedForward>(sweep.request.model.model);
    const AblationSweep result = ablationSweep(resumed, request, sweep.backends, progress);
    ReportAblation ablation;
    ablation.method = methodOf(sweep.request);
    ablation.before = result.before;
    ablation.effects = effectsOf(result);
    return ablation;
}

GradientTarget metricOfText(const ReportSweep& sweep, std::string& words)
{
    const ReportRequest& request = sweep.request;
    const ModelConfig& config = request.model.model->config();
    GradientTarget metric;
    metric.position = sweep.position;
    metric.token = sweep.target.value_or(0);
    if (request.against) {
        metric.kind = GradientTarget::Kind::LogitDifference;
        metric.other = *request.against;
        words = fmt::format("logit of \u201C{}\u201D minus that of \u201C{}\u201D at token {}",
                            shownToken(request.model, metric.token),
                            shownToken(request.model, metric.other), metric.position);
    } else if (config.hasDecoder() && sweep.report.trace->tokens().size() > 1) {
        metric.kind = GradientTarget::Kind::Loss;
        words = "mean loss of the text's own next tokens, in nats";
    } else {
        words = fmt::format("logit of \u201C{}\u201D at token {}",
                            shownToken(request.model, metric.token), metric.position);
    }
    return metric;
}

CausalText causalText(const ModelConfig& config, const Trace& trace)
{
    CausalText text{trace.tokens().ids(), {}, trace.sourceTokens().ids()};
    if (config.tokenTypes > 1)
        text.segments = segmentsOf(trace.tokens());
    return text;
}

/// Ablation for a model without a language head.
ReportAblation statesSwept(const ReportSweep& sweep)
{
    const Model& model = *sweep.request.model.model;
    Progress progress = progressOf(sweep);
    const AblationSweep result = hiddenStateSweep(
        model, causalText(model.config(), *sweep.report.trace), sweep.backends, progress);
    ReportAblation ablation;
    ablation.metric = "mean over the tokens of the cosine distance of the final hidden states "
                      "without and with the head";
    ablation.method = "the head's output set to 0";
    ablation.effects = effectsOf(result);
    return ablation;
}

} // namespace

ReportAblation ablationOnText(const ReportSweep& sweep)
{
    const bool hasHead = sweep.request.model.model->config().languageHead;
    ReportAblation ablation;
    if (!hasHead) {
        ablation = statesSwept(sweep);
    } else {
        std::string words;
        const GradientTarget metric = metricOfText(sweep, words);
        const CausalText text =
            causalText(sweep.request.model.model->config(), *sweep.report.trace);
        ablation = swept(sweep, text, metric);
        ablation.metric = words;
        addImportance(ablation, sweep, text, metric);
        addDirect(ablation, sweep);
    }
    ablation.measuredOn =
        hasHead ? "the text" : "the text (the model has no language head, so it has no loss)";
    if (sweep.request.model.model->config().isEncoderDecoder())
        ablation.measuredOn += "; the encoder's heads are not ablated";
    for (const HeadScore score : {HeadScore::InductionOnText, HeadScore::PreviousToken,
                                  HeadScore::Self, HeadScore::FirstToken, HeadScore::Entropy})
        addScore(ablation, sweep.report.scores, score);
    return ablation;
}

ReportPart<ReportAblation> ablationOnRepeats(const ReportSweep& sweep)
{
    const ModelConfig& config = sweep.request.model.model->config();
    if (config.architecture != Architecture::Decoder || !config.causal || !config.languageHead)
        return {{},
                "Copying on random repeats is measured by the next-token loss, which only a "
                "causal decoder has."};
    if (!sweep.report.survey || !(*sweep.report.survey.value)->repeats)
        return {{},
                sweep.report.survey ? (*sweep.report.survey.value)->whyNoRepeats
                                    : sweep.report.survey.missing};
    const RepeatsProbe& repeats = *(*sweep.report.survey.value)->repeats;
    const CausalText text = causalText(config, *repeats.example);
    const auto n = static_cast<std::int64_t>(text.ids.size());
    GradientTarget metric;
    metric.kind = GradientTarget::Kind::Loss;
    metric.targets.assign(text.ids.size(), kIgnoreIndex);
    // the first token of the second round is unpredictable for any model
    for (std::int64_t next = n - repeats.period + 1; next < n; ++next)
        metric.targets[static_cast<std::size_t>(next - 1)] =
            text.ids[static_cast<std::size_t>(next)];
    ReportAblation ablation = swept(sweep, text, metric);
    ablation.metric = "mean loss of the second round, in nats";
    ablation.measuredOn =
        fmt::format("{} repeated random tokens, the probe's first text", repeats.period);
    addImportance(ablation, sweep, text, metric);
    for (const HeadScore score :
         {HeadScore::InductionStripe, HeadScore::DuplicateStripe, HeadScore::PreviousToken,
          HeadScore::FirstToken, HeadScore::Entropy})
        addScore(ablation, repeats.tables, score);
    return {std::move(ablation), {}};
}

} // namespace headscope
