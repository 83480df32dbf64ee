#include "ui/window/frame/window_texts.h"

#include "core/io/installed_models.h"
#include "ui/session/runs/training.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

namespace headscope::ui {

namespace {

QString tokenCount(const Session& session)
{
    const qint64 all = session.textTokens();
    const qint64 most = session.models().longestText();
    if (all > most && most > 0)
        return tr("%1 of %2 tokens").arg(count(most), count(all));
    return all == 1 ? tr("1 token") : tr("%1 tokens").arg(count(all));
}

/// Name of the model in a captured trace, else of the trace's file.
QString capturedName(const Session& session)
{
    const std::string& model = session.traceA()->info().model;
    return modelName({model.empty() ? session.model().name : model, nullptr, nullptr});
}

QString capturedFacts(const Session& session)
{
    const Trace& trace = *session.traceA();
    const AttentionKind part = session.selection().part;
    return tr("captured trace \u00B7 %1 \u00D7 %2 heads")
        .arg(trace.layerCount(part))
        .arg(trace.headCount(part));
}

QString milliseconds(double elapsedMs)
{
    return tr("%1 ms").arg(number(elapsedMs, elapsedMs < 10.0 ? 1 : 0));
}

} // namespace

QString liveText(const Session& session)
{
    if (!session.models().loadingName().isEmpty())
        return tr("opening the model");
    if (session.isCaptured())
        return tr("captured \u00B7 %1").arg(tokenCount(session));
    if (!session.model().model)
        return tr("no model");
    if (session.computation().fraction() > 0.0)
        return tr("computing, %1 %").arg(qRound(100.0 * session.computation().fraction()));
    if (session.computation().isStale())
        return session.traceA() ? tr("computing") : tr("first result");
    if (session.text().isEmpty())
        return tr("no text");
    if (session.textTokens() < 0)
        return tr("counting tokens");
    if (session.training().state() == TrainingPhase::Running && session.training().isFollowed())
        return tr("step %1").arg(count(session.training().record().step));
    return session.traceB() ? tr("live \u00B7 A and B")
                            : tr("live \u00B7 %1").arg(tokenCount(session));
}

QString sourceName(const QString& source)
{
    const QString builtin = QStringLiteral("builtin:");
    if (source.startsWith(builtin))
        return source.mid(builtin.size());
    for (const ModelRecipe& recipe : modelRecipes())
        if (source.endsWith(u'/' + QString::fromStdString(recipe.path.generic_string())))
            return QString::fromStdString(recipe.name);
    static const QRegularExpression kHub("/models--([^/]+)/snapshots/[^/]+/?$");
    if (const auto hub = kHub.match(source); hub.hasMatch())
        return hub.captured(1).replace(QLatin1String("--"), QLatin1String("/"));
    return QFileInfo(QDir::cleanPath(source)).fileName();
}

QString megabytes(quint64 bytes)
{
    constexpr double kMega = 1'000'000.0;
    const double size = static_cast<double>(bytes) / kMega;
    return tr("%1 MB").arg(number(size, size < 10.0 ? 1 : 0));
}

QString warningSentence(const LoadWarning& warning)
{
    QString what = messageText(warning.what);
    if (!what.isEmpty())
        what[0] = what[0].toUpper();
    return tr("%1. %2.").arg(what, messageText(warning.advice));
}

QString modelName(const LoadedModel& model)
{
    return sourceName(QString::fromStdString(model.name));
}

QString modelFacts(const LoadedModel& model)
{
    const ModelConfig& config = model.model->config();
    const double millions =
        static_cast<double>(model.model->parameters().parameterCount()) / 1'000'000.0;
    const QString layers = config.layers == 1 ? tr("1 layer") : tr("%1 layers").arg(config.layers);
    const QString heads = config.heads == 1 ? tr("1 head") : tr("%1 heads").arg(config.heads);
    return tr("%1 \u00B7 %2 \u00B7 %3 M parameters")
        .arg(layers, heads, number(millions, millions < 10.0 ? 2 : 0));
}

QString documentName(const Session& session)
{
    if (session.isCaptured())
        return capturedName(session);
    const Training& training = session.training();
    if (!training.isFollowed())
        return modelName(session.model());
    return QString::fromStdString(training.record().folder.filename().string());
}

QString documentFacts(const Session& session)
{
    if (session.isCaptured())
        return capturedFacts(session);
    const Training& training = session.training();
    if (!training.isFollowed())
        return modelFacts(session.model());
    const ModelConfig& config = session.model().model->config();
    const std::int64_t step = training.shownStep().value_or(training.record().step);
    return tr("%1 \u00D7 %2 heads \u00B7 step %3")
        .arg(config.layers)
        .arg(config.heads)
        .arg(count(step));
}

QString deviceText(const Session& session)
{
    const TracePtr& trace = session.shownTrace();
    if (!trace)
        return {};
    const QString device = messageText(trace->info().device);
    switch (session.models().precision()) {
    case WeightPrecision::Float32:
        return device;
    case WeightPrecision::Float16:
        return tr("%1; weights rounded to float16").arg(device);
    case WeightPrecision::BFloat16:
        return tr("%1; weights rounded to bfloat16").arg(device);
    }
    return device;
}

QString forwardText(const Session& session)
{
    if (!session.traceA())
        return {};
    if (session.isCaptured())
        return tr("captured trace");
    const TraceInfo& a = session.traceA()->info();
    if (session.traceB())
        return tr("forward A %1, B %2")
            .arg(milliseconds(a.forwardMs), milliseconds(session.traceB()->info().forwardMs));
    const QString tokens =
        a.newTokens == 1 ? tr("1 new token") : tr("%1 new tokens").arg(count(a.newTokens));
    const QString forward = tr("forward %1, %2").arg(milliseconds(a.forwardMs), tokens);
    if (session.traceA()->omitted())
        return tr("%1 \u00B7 patterns and activations computed on demand").arg(forward);
    return session.traceA()->retainedPatterns().empty()
               ? forward
               : tr("%1 \u00B7 patterns computed on demand").arg(forward);
}

QString capturedHint(const Session& session)
{
    return tr("Captured trace of %1 (read-only). Open a model to edit the text.")
        .arg(capturedName(session));
}

} // namespace headscope::ui
