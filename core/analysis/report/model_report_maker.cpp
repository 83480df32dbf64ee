#include "core/analysis/report/model_report_maker.h"

#include "core/analysis/heads/weight_fingerprint.h"
#include "core/analysis/report/named_token.h"
#include "core/analysis/report/report_ablation.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/base/stopwatch.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Rough fractions of the whole time: parts that are not requested are skipped at once.
struct Step
{
    const char* key;
    const char* words;
    double part;
};

constexpr Step kTracing{"trace", "Reading the text", 0.05};
constexpr Step kScoring{"scores", "Scoring the heads", 0.02};
constexpr Step kSurvey{"survey", "Random repeats and sample sentences", 0.38};
constexpr Step kLabels{"labels", "Labelling the heads", 0.05};
constexpr Step kLens{"lens", "Applying the logit lens to every layer", 0.05};
constexpr Step kAttribution{"attribution", "Attributing the logit", 0.05};
constexpr Step kAblation{"ablation", "Ablating heads on the text", 0.2};
constexpr Step kProbeAblation{"ablation_on_repeats", "Ablating heads on random repeats", 0.2};

std::string whyNoSinks(const HeadScoreTables& scores)
{
    for (const auto& [attention, table] : scores)
        if (attention != AttentionKind::Cross)
            return table.why(HeadScore::Sink);
    return "The trace contains no patterns of one stack of self-attention.";
}

std::string whyNoInContextScore(const std::optional<ModelConfig>& config, const Trace& trace)
{
    if (!config)
        return "A captured trace does not say whether its model predicts the next token.";
    if (!config->hasDecoder() || !trace.has({Site::Logits, 0}))
        return "The model does not predict the next token: it has no in-context-learning score.";
    return fmt::format(
        "The text is too short for an in-context-learning score: it needs {} tokens.",
        kFewestInContextTokens);
}

class Maker
{
public:
    Maker(const ReportRequest& request, const BackendFactory& backends, std::stop_token stop,
          ReportListener listener)
        : m_request(request)
        , m_backends(backends ? backends : defaultBackends())
        , m_stop(std::move(stop))
        , m_listener(std::move(listener))
    {
    }

    ModelReport make();

private:
    static BackendFactory defaultBackends();
    void step(const Step& step, bool wanted, const std::function<void()>& work);
    void tell(const Step& step, double fraction) const;
    std::function<void(double)> teller(const Step& step) const;

    bool hasModel() const { return m_request.model.model != nullptr; }

    bool needsSurvey() const;

    void trace();
    void describe();
    void audit();
    void score();
    void survey();
    void label();
    void readLens();
    void attribute();
    void ablate();
    std::string whyNoPrediction() const;
    ReportToken tokenOf(TokenId id) const;
    std::vector<ReportToken> tokensOf(const TokenSequence& tokens) const;
    ReportSweep sweep(const Step& step) const;

    const ReportRequest& m_request;
    BackendFactory m_backends;
    std::stop_token m_stop;
    ReportListener m_listener;
    ModelReport m_report;
    double m_done = 0.0; ///< Fraction done by the steps before.
    std::int64_t m_position = 0;
    std::optional<TokenId> m_target;
};

BackendFactory Maker::defaultBackends()
{
    return [] { return std::make_unique<CpuAttention>(); };
}

void Maker::tell(const Step& step, double fraction) const
{
    throwIfStopped(m_stop);
    if (m_listener)
        m_listener(step.words, std::min(m_done + step.part * fraction, 1.0));
}

std::function<void(double)> Maker::teller(const Step& step) const
{
    return [this, &step](double fraction) { tell(step, fraction); };
}

void Maker::step(const Step& step, bool wanted, const std::function<void()>& work)
{
    if (wanted) {
        tell(step, 0.0);
        const Stopwatch watch;
        work();
        m_report.times.push_back({step.key, watch.milliseconds()});
    }
    m_done += step.part;
}

ReportToken Maker::tokenOf(TokenId id) const
{
    return {id, shownToken(m_request.model, id)};
}

std::vector<ReportToken> Maker::tokensOf(const TokenSequence& tokens) const
{
    std::vector<ReportToken> all;
    for (const Token& token : tokens.tokens)
        all.push_back(tokenOf(token.id));
    return all;
}

void Maker::trace()
{
    if (!hasModel()) {
        m_report.trace = m_request.captured;
    } else {
        Tracer tracer(m_request.model, m_backends());
        const bool twoStacks = m_request.model.model->config().isEncoderDecoder();
        const TraceRequest wanted = TraceRequest::forViews();
        m_report.trace =
            twoStacks ? tracer.trace({m_request.source, m_request.tokens}, wanted, {}, m_stop)
                      : tracer.trace(m_request.tokens, wanted, {}, m_stop);
    }
    const Trace& trace = *m_report.trace;
    m_position = m_request.position.value_or(tellingPosition(m_request.model, trace.tokens()));
    if (m_position < 0 || m_position >= static_cast<std::int64_t>(trace.tokens().size()))
        throw Error("the text has no token " + std::to_string(m_position), "--position",
                    "Count from 0");
    m_target = m_request.target;
    if (!m_target && hasModel() && m_request.model.model->config().languageHead)
        m_target = mostProbable(trace, m_position);
}

void Maker::describe()
{
    const Trace& trace = *m_report.trace;
    ReportSettings& settings = m_report.settings;
    settings.program = m_request.program;
    settings.command = m_request.command;
    settings.model = hasModel() ? m_request.model.name : trace.info().model;
    settings.device = trace.info().device;
    settings.text = trace.tokens().text;
    settings.source = trace.sourceTokens().text;
    settings.cutTokens = std::max<std::int64_t>(
        trace.info().textTokens - static_cast<std::int64_t>(trace.tokens().size()), 0);
    const nlohmann::json run = nlohmann::json::parse(trace.info().settings, nullptr, false);
    if (run.is_object() && run.contains("mask") && run["mask"].is_string())
        settings.mask = run["mask"];
    if (m_request.replacement == Replacement::Resample)
        settings.seeds.emplace_back("resample", static_cast<std::int64_t>(m_request.seed));
    settings.thresholds = {{"sink", kSinkThreshold},
                           {"induction_on_text", HeadScoreOptions().inductionThreshold}};
    for (const LabelRule& rule : labelRules())
        settings.thresholds.emplace_back("label_" + std::string(rule.key), rule.threshold);
    m_report.tokens = tokensOf(trace.tokens());
    m_report.sourceTokens = tokensOf(trace.sourceTokens());
}

void Maker::audit()
{
    if (!hasModel()) {
        m_report.audit.missing = "A captured trace does not include its model's weights.";
        return;
    }
    const Model& model = *m_request.model.model;
    m_report.settings.fingerprint = fmt::format("{:016x}", weightFingerprint(model));
    m_report.config = model.config();
    m_report.sizes = sizeReport(model.config());
    LoadAudit audit = m_request.audit ? *m_request.audit
                                      : auditParameters(model, m_request.model.tokenizer.get());
    if (audit.path.empty())
        audit.path = m_request.model.name;
    auditPatterns(audit, *m_report.trace);
    m_report.audit.value = std::move(audit);
}

void Maker::score()
{
    m_report.scores = scoreTrace(*m_report.trace, {}, m_stop);
    if (const double rate = sinkRate(m_report.scores); !std::isnan(rate))
        m_report.sinkRate.value = rate;
    else
        m_report.sinkRate.missing = whyNoSinks(m_report.scores);
    if (m_report.config)
        m_report.inContext.value = inContextScore(*m_report.trace, *m_report.config);
    if (!m_report.inContext)
        m_report.inContext.missing = whyNoInContextScore(m_report.config, *m_report.trace);
}

bool Maker::needsSurvey() const
{
    const ReportParts& parts = m_request.parts;
    return hasModel() && (parts.survey || parts.labels || parts.probeAblation);
}

void Maker::survey()
{
    m_report.survey.value = surveyHeads(m_request.model, m_stop, teller(kSurvey));
}

void Maker::label()
{
    if (hasModel()) {
        const HeadSurvey& survey = **m_report.survey.value;
        m_report.labels.value = {labelHeads(survey, m_stop),
                                 "random repeats, sample sentences and weights"};
    } else {
        m_report.labels.value = {labelHeads(m_report.trace, m_report.scores, m_stop), "the text"};
    }
}

std::string Maker::whyNoPrediction() const
{
    if (!hasModel())
        return "A captured trace does not include the weights that this needs.";
    if (!m_request.model.model->config().languageHead)
        return "The model has no language head: it predicts no token, so there is no logit to "
               "attribute and the logit lens is not defined.";
    if (!m_target)
        return "The model's logits are not finite here.";
    return {};
}

/// The first stage from which the target remains the top-1 token.
int settledStage(const StreamLens& lens)
{
    int settled = -1;
    for (int stage = lens.stageCount() - 1; stage >= 0; --stage) {
        if (lens.ranks[lens.at(0, stage)] != 1)
            break;
        settled = stage;
    }
    return settled;
}

void Maker::readLens()
{
    m_report.lens.missing = whyNoPrediction();
    if (!m_report.lens.missing.empty())
        return;
    StreamLensOptions options;
    options.targets.assign(m_report.trace->tokens().size(), std::nullopt);
    options.targets[static_cast<std::size_t>(m_position)] = m_target;
    options.positions = {static_cast<int>(m_position)};
    ReportLens lens;
    lens.lens = streamLens(*m_request.model.model, *m_report.trace, options, m_stop);
    lens.target = tokenOf(*m_target);
    for (int stage = 0; stage < lens.lens.stageCount(); ++stage)
        lens.tops.push_back(shownToken(m_request.model, lens.lens.ids[lens.lens.topAt(0, stage)]));
    lens.settled = settledStage(lens.lens);
    m_report.lens.value = std::move(lens);
}

void Maker::attribute()
{
    m_report.attribution.missing = whyNoPrediction();
    if (m_report.attribution.missing.empty())
        m_report.attribution.missing = whyNoLogitAttribution(m_request.model.model->config());
    if (!m_report.attribution.missing.empty())
        return;
    ReportAttribution attribution;
    attribution.parts = logitAttribution(*m_report.trace, *m_request.model.model,
                                         {m_position, *m_target, m_request.against});
    attribution.token = tokenOf(*m_target);
    if (m_request.against)
        attribution.other = tokenOf(*m_request.against);
    m_report.attribution.value = std::move(attribution);
}

ReportSweep Maker::sweep(const Step& step) const
{
    return {m_request, m_report, m_backends, m_stop, teller(step), m_position, m_target};
}

void Maker::ablate()
{
    if (hasModel())
        m_report.ablation.value = ablationOnText(sweep(kAblation));
    else
        m_report.ablation.missing = "A captured trace does not include a model whose heads could "
                                    "be ablated.";
}

ModelReport Maker::make()
{
    const ReportParts& parts = m_request.parts;
    step(kTracing, true, [&] {
        trace();
        describe();
        audit();
    });
    step(kScoring, true, [&] { score(); });
    step(kSurvey, needsSurvey(), [&] { survey(); });
    if (!hasModel())
        m_report.survey.missing =
            "A captured trace does not include a model that could process other texts.";
    step(kLabels, parts.labels, [&] { label(); });
    step(kLens, parts.lens, [&] { readLens(); });
    step(kAttribution, parts.attribution, [&] { attribute(); });
    step(kAblation, parts.ablation, [&] { ablate(); });
    step(kProbeAblation, parts.probeAblation, [&] {
        if (hasModel())
            m_report.probeAblation = ablationOnRepeats(sweep(kProbeAblation));
        else
            m_report.probeAblation.missing = m_report.survey.missing;
    });
    return std::move(m_report);
}

} // namespace

ModelReport makeModelReport(const ReportRequest& request, const BackendFactory& backends,
                            const std::stop_token& stop, const ReportListener& listener)
{
    return Maker(request, backends, stop, listener).make();
}

} // namespace headscope
