#include "ui/pages/causal/causal_choice.h"

#include "core/analysis/causal/prediction_metric.h"
#include "core/analysis/lens/next_token.h"
#include "core/base/error.h"
#include "core/text/chat/chat_input.h"
#include "core/text/text_pair.h"
#include "ui/pages/causal/corrupted_example.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/widgets/tr.h"
#include "ui/workers/error_sentence.h"

#include <QCryptographicHash>
#include <QDataStream>

#include <cmath>

namespace headscope::ui {

namespace {

constexpr const char* kSections[] = {"heads", "patch", "path"};
constexpr const char* kMetrics[] = {"logit", "difference", "loss"};

template<std::size_t Count>
int indexOf(const char* const (&names)[Count], const QString& name, int otherwise)
{
    for (std::size_t i = 0; i < Count; ++i)
        if (name == QLatin1String(names[i]))
            return static_cast<int>(i);
    return otherwise;
}

bool hasDecoderText(const ViewSnapshot& view)
{
    return view.modelA.model && view.modelA.model->config().isEncoderDecoder();
}

CausalText textOf(const ViewSnapshot& view, const TokenSequence& tokens)
{
    CausalText text;
    text.ids = tokens.ids();
    if (view.modelA.model->config().tokenTypes > 1)
        text.segments = segmentsOf(tokens);
    if (hasDecoderText(view))
        text.source = view.a->sourceTokens().ids();
    return text;
}

/// Corrupted tokens: another source for an encoder-decoder, otherwise another text.
CausalText corruptedOf(const ViewSnapshot& view, const CausalChoice& choice)
{
    const TokenSequence tokens = view.modelA.tokenizer->encode(
        corruptedText(view, choice).toStdString(), !isChat(view.a->tokens()));
    if (!hasDecoderText(view))
        return textOf(view, tokens);
    CausalText text = textOf(view, view.a->tokens());
    text.source = tokens.ids();
    return text;
}

/// The most probable tokens at a position, except one.
TokenId topOf(const TracePtr& trace, std::int64_t position, TokenId except)
{
    if (!trace)
        return -1;
    const auto tokens = static_cast<std::int64_t>(trace->tokens().size());
    if (position >= tokens)
        return -1;
    for (const Candidate& candidate : nextTokens(*trace, position, 2, nullptr))
        if (candidate.id != except)
            return candidate.id;
    return -1;
}

} // namespace

CausalChoice CausalChoice::fromJson(const QJsonObject& json)
{
    const auto text = [&](const char* key) { return json.value(QLatin1String(key)).toString(); };
    const auto whole = [&](const char* key, int otherwise) {
        return json.value(QLatin1String(key)).toInt(otherwise);
    };
    CausalChoice choice;
    choice.section = static_cast<CausalSection>(indexOf(kSections, text("section"), 0));
    choice.metric = static_cast<GradientTarget::Kind>(indexOf(kMetrics, text("metric"), 1));
    choice.position = std::max(-1, whole("position", -1));
    choice.token = std::max(-1, whole("token", -1));
    choice.other = std::max(-1, whole("other", -1));
    choice.replacement =
        parseReplacement(text("replacement").toStdString()).value_or(Replacement::Zero);
    choice.seed = static_cast<std::uint64_t>(std::max(0, whole("seed", 1)));
    choice.score = scoreNamed(text("score"));
    choice.byScore = json.value(QLatin1String("byScore")).toBool();
    choice.site = parsePatchSite(text("site").toStdString()).value_or(PatchSite::ResidPre);
    choice.corrupted = text("corrupted");
    if (json.contains(QLatin1String("row")))
        choice.cell = HeatmapCell{std::max(0, whole("row", 0)), std::max(0, whole("column", 0))};
    choice.step = std::max(0, whole("step", 0));
    choice.foundOther = std::max(-1, whole("foundOther", -1));
    choice.foundFor = text("foundFor").toLatin1();
    return choice;
}

QJsonObject CausalChoice::toJson() const
{
    QJsonObject json{{"section", QLatin1String(kSections[static_cast<int>(section)])},
                     {"metric", QLatin1String(kMetrics[static_cast<int>(metric)])},
                     {"position", position},
                     {"token", token},
                     {"other", other},
                     {"replacement", QLatin1String(nameOf(replacement))},
                     {"seed", static_cast<int>(seed)},
                     {"byScore", byScore},
                     {"site", QLatin1String(nameOf(site))},
                     {"corrupted", corrupted},
                     {"step", step},
                     {"foundOther", foundOther},
                     {"foundFor", QString::fromLatin1(foundFor)}};
    if (score)
        json.insert(QStringLiteral("score"), scoreKey(*score));
    if (cell) {
        json.insert(QStringLiteral("row"), cell->row);
        json.insert(QStringLiteral("column"), cell->column);
    }
    return json;
}

bool watchesStates(const ViewSnapshot& view)
{
    return view.modelA.model && !view.modelA.model->config().languageHead;
}

HeadScore comparedScore(const CausalChoice& choice, const HeadScoreTable& scores)
{
    if (choice.score)
        return *choice.score;
    return scores.has(HeadScore::InductionOnText) ? HeadScore::InductionOnText
                                                  : HeadScore::PreviousToken;
}

QString corruptedText(const ViewSnapshot& view, const CausalChoice& choice)
{
    if (!choice.corrupted.isEmpty())
        return choice.corrupted;
    return view.changes.text ? *view.changes.text : corruptedExample(view);
}

QByteArray pairName(const ViewSnapshot& view, const CausalChoice& choice)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArray::fromStdString(view.modelA.name));
    hash.addData(corruptedText(view, choice).toUtf8() + '\0');
    if (view.a)
        hash.addData(QByteArray::fromStdString(view.a->tokens().text));
    hash.addData(QByteArray::number(choice.position) + ' ' + QByteArray::number(choice.token));
    return hash.result().toHex();
}

GradientTarget metricFor(const ViewSnapshot& view, const CausalChoice& choice)
{
    GradientTarget metric;
    if (watchesStates(view))
        return metric;
    metric.kind = choice.metric;
    if (!view.a || !view.modelA.model)
        return metric;
    const std::int64_t vocabulary = view.modelA.model->config().vocabularySize;
    // Drops token ids of another model.
    const auto known = [&](TokenId id) { return id < vocabulary ? id : -1; };
    metric.token = known(choice.token);
    metric.other = known(choice.other);
    const auto tokens = static_cast<std::int64_t>(view.a->tokens().size());
    metric.position =
        choice.position >= 0 && choice.position < tokens ? choice.position : tokens - 1;
    if (metric.token < 0)
        metric.token = topOf(view.a, metric.position, -1);
    const bool pair = choice.section != CausalSection::Heads;
    if (metric.other < 0 && pair && choice.foundFor == pairName(view, choice))
        metric.other = known(choice.foundOther);
    if (metric.other < 0)
        metric.other = topOf(view.a, metric.position, metric.token);
    return metric;
}

QString causalProblem(const ViewSnapshot& view, const CausalChoice& choice)
{
    if (!view.modelA.model || !view.a)
        return tr("A causal test needs forward passes of a model. Open a model.");
    const ModelConfig& config = view.modelA.model->config();
    if (watchesStates(view))
        return choice.section == CausalSection::Heads
                   ? QString()
                   : tr("This model predicts no tokens, so there is no answer to restore. Its "
                        "heads can be ablated.");
    if (!view.a->has({Site::Logits, 0}))
        return tr("This trace has no logits to start from.");
    if (choice.section == CausalSection::Path && choice.metric == GradientTarget::Kind::Loss)
        return tr("The loss covers many tokens, but a fact is one answer. Choose a logit or a "
                  "logit difference.");
    try {
        checkMetric(config, view.a->tokens().ids(), metricFor(view, choice));
    } catch (const Error& error) {
        return errorSentence(error);
    }
    if (choice.section == CausalSection::Heads && choice.replacement == Replacement::Resample &&
        metricFor(view, choice).position == 0)
        return tr("Resampling needs a second position to take a head's output from.");
    if (choice.section != CausalSection::Heads && corruptedText(view, choice).isEmpty())
        return tr("Type a second text above with the same number of tokens and a different "
                  "answer.");
    return {};
}

CausalJob causalJob(const ViewSnapshot& view, const CausalChoice& choice, CausalSection section)
{
    CausalJob job;
    job.kind = static_cast<CausalJob::Kind>(section);
    job.model = view.modelA;
    job.clean = textOf(view, view.a->tokens());
    CausalChoice asked = choice;
    asked.section = section;
    job.metric = metricFor(view, asked);
    job.replacement = watchesStates(view) ? Replacement::Zero : choice.replacement;
    job.seed = choice.seed;
    if (section == CausalSection::Heads)
        return job;
    job.corrupted = corruptedOf(view, choice);
    job.findsOther = choice.metric == GradientTarget::Kind::LogitDifference && choice.other < 0 &&
                     choice.foundFor != pairName(view, choice);
    job.site = choice.site;
    job.head = {view.selection.layer, view.selection.head};
    return job;
}

QByteArray keyOf(const CausalJob& job)
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    const auto put = [&](const std::vector<std::int32_t>& values) {
        stream << static_cast<qint64>(values.size());
        for (const std::int32_t value : values)
            stream << value;
    };
    stream << QByteArray::fromStdString(job.model.name) << static_cast<int>(job.kind);
    stream << static_cast<qint64>(job.model.model->parameters().parameterCount());
    put(job.clean.ids);
    put(job.clean.source);
    stream << static_cast<int>(job.metric.kind) << static_cast<qint64>(job.metric.position);
    stream << job.metric.token << job.metric.other;
    if (job.kind == CausalJob::Kind::Sweep) {
        stream << static_cast<int>(job.replacement);
        stream << static_cast<quint64>(job.replacement == Replacement::Resample ? job.seed : 0);
    } else {
        put(job.corrupted.ids);
        put(job.corrupted.source);
        stream << job.findsOther;
    }
    if (job.kind == CausalJob::Kind::Grid) {
        stream << static_cast<int>(job.site);
        if (job.site == PatchSite::Cell)
            stream << job.head.layer << job.head.head;
    }
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

bool belongsTo(const ViewSnapshot& view, const GradientTarget& metric, double before)
{
    if (watchesStates(view))
        return true;
    const auto logits = view.a ? view.a->shapeOf({Site::Logits, 0}) : std::nullopt;
    if (!logits || (*logits)[0] != static_cast<std::int64_t>(view.a->tokens().size()))
        return false;
    const double now = metricOf(metric, *view.a);
    return std::abs(now - before) <= 1e-3 * (1.0 + std::abs(now));
}

} // namespace headscope::ui
