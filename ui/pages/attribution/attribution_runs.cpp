#include "ui/pages/attribution/attribution_runs.h"

#include "core/analysis/lens/next_token.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "ui/pages/shared/maps/gradient_run.h"
#include "ui/workers/error_sentence.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Attribution", text);
}

bool isOfSource(const Looking& looking)
{
    return looking.selection.part == AttentionKind::EncoderSelf;
}

std::int64_t positionOf(const Looking& looking)
{
    const auto last = static_cast<std::int64_t>(looking.trace()->tokens().size()) - 1;
    const int query = pairOf(looking).query;
    return isOfSource(looking) || query < 0 ? last : std::min<std::int64_t>(query, last);
}

/// Target token of A, so that both variants share it; B's own where the vocabularies differ.
const Trace* askedTrace(const Looking& looking)
{
    const bool same = looking.modelA.tokenizer == looking.modelB.tokenizer;
    const TracePtr& trace = looking.a && same ? looking.a : looking.trace();
    return trace.get();
}

QString obstacle(const Looking& looking, Variant variant)
{
    const auto& model = looking.model(variant).model;
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

std::shared_ptr<const AttributionParts> partsOfVariant(const Looking& looking, Variant variant,
                                                       const AttributionOptions& options,
                                                       const LogitTarget& target)
{
    AttributionParts parts;
    parts.problem = obstacle(looking, variant);
    const TracePtr& trace = looking.trace(variant);
    if (parts.problem.isEmpty() && trace) {
        try {
            const Model& model = *looking.model(variant).model;
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
inputsOfVariant(const Looking& looking, Variant variant, const LogitTarget& target,
                const std::stop_token& stop, const std::function<void(double)>& progress)
{
    AttributionInputs inputs;
    inputs.problem = whyNoGradient(looking, variant);
    if (inputs.problem.isEmpty() && looking.trace(variant)) {
        try {
            CpuAttention backend;
            GradientTarget wanted;
            wanted.position = target.position;
            wanted.token = target.token;
            wanted.other = target.other.value_or(0);
            wanted.kind =
                target.other ? GradientTarget::Kind::LogitDifference : GradientTarget::Kind::Logit;
            const GradientInputs from = gradientInputs(looking, variant);
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

std::optional<LogitTarget> attributionTarget(const Looking& looking,
                                             const AttributionOptions& options)
{
    if (!looking.trace() || looking.trace()->tokens().size() == 0)
        return std::nullopt;
    LogitTarget target;
    target.position = positionOf(looking);
    const auto logits = looking.trace()->find({Site::Logits, 0});
    const std::int64_t vocabulary = logits ? logits->shape()[1] : 0;
    const Trace* const asked = askedTrace(looking);
    const auto longest = static_cast<std::int64_t>(asked->tokens().size()) - 1;
    const auto likeliest = likeliestNext(*asked, std::min(target.position, longest));
    if (!likeliest || vocabulary == 0)
        return std::nullopt;
    const bool known = options.token >= 0 && options.token < vocabulary;
    target.token = known ? options.token : *likeliest;
    if (options.other >= 0 && options.other < vocabulary && options.other != target.token)
        target.other = options.other;
    return target;
}

OfRuns<AttributionParts> attributionParts(const Looking& looking, const AttributionOptions& options)
{
    OfRuns<AttributionParts> parts;
    LogitTarget target = attributionTarget(looking, options).value_or(LogitTarget{});
    AttributionOptions wanted = options;
    if (looking.shown != Variant::A) {
        parts.b = partsOfVariant(looking, Variant::B, wanted, target);
        wanted.head = wanted.head.value_or(parts.b->head); // The same head in both.
    }
    if (looking.shown != Variant::B)
        parts.a = partsOfVariant(looking, Variant::A, wanted, target);
    return parts;
}

OfRuns<AttributionInputs> attributionInputs(const Looking& looking,
                                            const AttributionOptions& options,
                                            const std::stop_token& stop,
                                            const std::function<void(double)>& progress)
{
    OfRuns<AttributionInputs> inputs;
    const auto target = attributionTarget(looking, options);
    if (!target)
        return inputs;
    if (looking.shown != Variant::B)
        inputs.a = inputsOfVariant(looking, Variant::A, *target, stop, progress);
    if (looking.shown != Variant::A)
        inputs.b = inputsOfVariant(looking, Variant::B, *target, stop, progress);
    return inputs;
}

} // namespace headscope::ui
