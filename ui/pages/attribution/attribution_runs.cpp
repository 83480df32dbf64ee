#include "ui/pages/attribution/attribution_runs.h"

#include "core/analysis/lens/next_token.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "ui/pages/shared/maps/gradient_run.h"
#include "ui/widgets/tr.h"
#include "ui/workers/error_sentence.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

bool isOfSource(const ViewSnapshot& view)
{
    return view.selection.part == AttentionKind::EncoderSelf;
}

std::int64_t positionOf(const ViewSnapshot& view)
{
    const auto last = static_cast<std::int64_t>(view.trace()->tokens().size()) - 1;
    const int query = pairOf(view).query;
    return isOfSource(view) || query < 0 ? last : std::min<std::int64_t>(query, last);
}

/// Target token of A, so that both variants share it; B's own where the vocabularies differ.
const Trace* askedTrace(const ViewSnapshot& view)
{
    const bool same = view.modelA.tokenizer == view.modelB.tokenizer;
    const TracePtr& trace = view.a && same ? view.a : view.trace();
    return trace.get();
}

QString obstacle(const ViewSnapshot& view, Variant variant)
{
    const auto& model = view.model(variant).model;
    if (!model)
        return tr("Not defined for a captured trace: contributions need the model's weights.");
    if (const std::string why = whyNoLogitAttribution(model->config()); !why.empty())
        return tr("Not defined for this model: %1.").arg(QString::fromStdString(why));
    return {};
}

LogitHead strongestHead(const LogitAttribution& logit)
{
    const LogitPart* best = nullptr;
    for (const LogitPart& part : logit.parts)
        if (part.kind == LogitPartKind::Head &&
            (!best || std::abs(part.value) > std::abs(best->value)))
            best = &part;
    return best ? LogitHead{best->layer, best->head, best->cross} : LogitHead{};
}

bool exists(const LogitAttribution& logit, const LogitHead& head)
{
    return std::any_of(logit.parts.begin(), logit.parts.end(), [&](const LogitPart& part) {
        return part.kind == LogitPartKind::Head && part.layer == head.layer &&
               part.head == head.head && part.cross == head.cross;
    });
}

std::shared_ptr<const AttributionParts> partsOfVariant(const ViewSnapshot& view, Variant variant,
                                                       const AttributionOptions& options,
                                                       const LogitTarget& target)
{
    AttributionParts parts;
    parts.problem = obstacle(view, variant);
    const TracePtr& trace = view.trace(variant);
    if (parts.problem.isEmpty() && trace) {
        try {
            const Model& model = *view.model(variant).model;
            parts.logit = logitAttribution(*trace, model, target);
            parts.head = options.head && exists(parts.logit, *options.head)
                             ? *options.head
                             : strongestHead(parts.logit);
            if (exists(parts.logit, parts.head))
                parts.sources = logitAttributionBySource(*trace, model, target, parts.head);
        } catch (const Error& error) {
            parts.problem = errorSentence(error);
        }
    }
    return std::make_shared<const AttributionParts>(std::move(parts));
}

std::shared_ptr<const AttributionInputs>
inputsOfVariant(const ViewSnapshot& view, Variant variant, const LogitTarget& target,
                const std::stop_token& stop, const std::function<void(double)>& progress)
{
    AttributionInputs inputs;
    inputs.problem = whyNoGradient(view, variant);
    if (inputs.problem.isEmpty() && view.trace(variant)) {
        try {
            CpuAttention backend;
            GradientTarget wanted;
            wanted.position = target.position;
            wanted.token = target.token;
            wanted.other = target.other.value_or(0);
            wanted.kind =
                target.other ? GradientTarget::Kind::LogitDifference : GradientTarget::Kind::Logit;
            const GradientInputs from = gradientInputs(view, variant);
            AttributionRun asked = from.run(backend, wanted);
            asked.stop = stop;
            asked.progress = progress;
            inputs.gradient = gradientTimesInput(asked);
            inputs.integrated = integratedInput(asked);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            inputs.problem = errorSentence(error);
        }
    }
    return std::make_shared<const AttributionInputs>(std::move(inputs));
}

} // namespace

AttributionOptions AttributionOptions::fromJson(const QJsonObject& json)
{
    AttributionOptions options;
    options.token = json["token"].toInt(-1);
    options.other = json["other"].toInt(-1);
    options.sorted = json["sorted"].toBool(true);
    const QJsonArray head = json["head"].toArray();
    if (head.size() == 3)
        options.head = LogitHead{head[0].toInt(), head[1].toInt(), head[2].toBool()};
    return options;
}

QJsonObject AttributionOptions::toJson() const
{
    QJsonObject json{{"token", token}, {"other", other}, {"sorted", sorted}};
    if (head)
        json["head"] = QJsonArray{head->layer, head->head, head->cross};
    return json;
}

std::optional<LogitTarget> attributionTarget(const ViewSnapshot& view,
                                             const AttributionOptions& options)
{
    if (!view.trace() || view.trace()->tokens().size() == 0)
        return std::nullopt;
    LogitTarget target;
    target.position = positionOf(view);
    const auto logits = view.trace()->shapeOf({Site::Logits, 0});
    const std::int64_t vocabulary = logits ? (*logits)[1] : 0;
    const Trace* const asked = askedTrace(view);
    const auto longest = static_cast<std::int64_t>(asked->tokens().size()) - 1;
    const auto mostLikely = mostLikelyNext(*asked, std::min(target.position, longest));
    if (!mostLikely || vocabulary == 0)
        return std::nullopt;
    const bool known = options.token >= 0 && options.token < vocabulary;
    target.token = known ? options.token : *mostLikely;
    if (options.other >= 0 && options.other < vocabulary && options.other != target.token)
        target.other = options.other;
    return target;
}

OfRuns<AttributionParts> attributionParts(const ViewSnapshot& view,
                                          const AttributionOptions& options)
{
    OfRuns<AttributionParts> parts;
    LogitTarget target = attributionTarget(view, options).value_or(LogitTarget{});
    AttributionOptions wanted = options;
    if (view.shown != Variant::A) {
        parts.b = partsOfVariant(view, Variant::B, wanted, target);
        wanted.head = wanted.head.value_or(parts.b->head); // The same head in both.
    }
    if (view.shown != Variant::B)
        parts.a = partsOfVariant(view, Variant::A, wanted, target);
    return parts;
}

OfRuns<AttributionInputs> attributionInputs(const ViewSnapshot& view,
                                            const AttributionOptions& options,
                                            const std::stop_token& stop,
                                            const std::function<void(double)>& progress)
{
    OfRuns<AttributionInputs> inputs;
    const auto target = attributionTarget(view, options);
    if (!target)
        return inputs;
    if (view.shown != Variant::B)
        inputs.a = inputsOfVariant(view, Variant::A, *target, stop, progress);
    if (view.shown != Variant::A)
        inputs.b = inputsOfVariant(view, Variant::B, *target, stop, progress);
    return inputs;
}

} // namespace headscope::ui
