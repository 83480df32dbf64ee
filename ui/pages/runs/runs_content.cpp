// The curves of several runs in one chart.
#include "ui/pages/runs/runs_content.h"

#include "ui/pages/shared/figures/number_rows.h"
#include "ui/widgets/charts/lines/line_chart_plot.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

const QString kHead = QStringLiteral("head ");
constexpr std::size_t kSmoothRadius = 10;
constexpr QSizeF kFigureSize{960.0, 480.0};

using LogValue = double LogLine::*;

/// Value extractor for the log's curves; null for others.
LogValue logValueOf(const QString& name)
{
    static const std::pair<const char*, LogValue> kValues[] = {
        {"val_loss", &LogLine::validationLoss},
        {"loss", &LogLine::loss},
        {"val_accuracy", &LogLine::validationAccuracy},
        {"lr", &LogLine::learningRate},
        {"grad_norm", &LogLine::gradientNorm},
        {"tokens_per_s", &LogLine::tokensPerSecond}};
    for (const auto& [known, value] : kValues)
        if (name == QLatin1String(known))
            return value;
    return nullptr;
}

/// Step and value; NaN is skipped, infinity is kept.
std::vector<QPointF> logPoints(const RunSeries& series, LogValue value)
{
    std::vector<QPointF> points;
    for (const LogLine& line : series.curves.lines)
        if (!std::isnan(line.*value))
            points.emplace_back(static_cast<double>(line.step), line.*value);
    return points;
}

/// Largest value over the heads at each step.
std::vector<QPointF> headPoints(const RunSeries& series, const std::string& score)
{
    std::vector<QPointF> points;
    for (const HeadScorePoint& point : series.heads.points()) {
        double best = std::numeric_limits<double>::quiet_NaN();
        for (const HeadId& place : point.places)
            best = std::fmax(best, point.value(score, place));
        if (!std::isnan(best))
            points.emplace_back(static_cast<double>(point.step), best);
    }
    return points;
}

std::vector<QPointF> pointsOf(const RunSeries& series, const QString& name)
{
    if (const LogValue value = logValueOf(name))
        return logPoints(series, value);
    return headPoints(series, name.mid(kHead.size()).toStdString());
}

QString nameOfRun(const RunSeries& series)
{
    return QString::fromStdString(series.path.filename().string());
}

void addMarks(LineChartContent& content, const RunSeries& series, const RunsOptions& options)
{
    for (const RunEvent& event : series.curves.events) {
        const bool isFault = event.kind == RunEvent::Kind::Diverged;
        if (!isFault && event.kind != RunEvent::Kind::SettingsChanged)
            continue;
        const double x =
            options.byTokens ? tokensAt(series, event.step) : static_cast<double>(event.step);
        const QString text =
            isFault ? tr("%1 diverged").arg(nameOfRun(series)) : messageText(event.text);
        content.marks.push_back({x, text, isFault});
    }
}

LineChartCurve curveOf(const RunSeries& series, const RunsOptions& options, int slot)
{
    LineChartCurve curve;
    curve.name = nameOfRun(series);
    curve.ending =
        curve.name.size() > 11 ? curve.name.left(10) + QStringLiteral("\u2026") : curve.name;
    curve.tone = LineChartCurve::Tone::Head;
    curve.slot = slot;
    const bool hasTokens = series.batchSize > 0 && series.length > 0;
    if (options.byTokens && !hasTokens)
        return curve; // of a series only the steps are known
    curve.points = pointsOf(series, options.curve);
    if (options.byTokens)
        for (QPointF& point : curve.points)
            point.setX(tokensAt(series, std::llround(point.x())));
    return curve;
}

ChartAxis axisOfX(const LineChartContent& content, bool logarithmic)
{
    double high = 0.0;
    for (const double x : content.places())
        high = std::max(high, x);
    if (high <= 0.0)
        return {logarithmic ? 1.0 : 0.0, 10.0, logarithmic};
    return {logarithmic ? 1.0 : 0.0, high, logarithmic};
}

bool isNoisy(const QString& curve)
{
    return curve == QLatin1String("loss") || curve == QLatin1String("grad_norm") ||
           curve == QLatin1String("tokens_per_s");
}

NumberTable tableOf(const RunSeries& series)
{
    const QStringList names{"val_loss", "loss", "val_accuracy", "lr", "grad_norm", "tokens_per_s"};
    NumberRows rows;
    for (const LogLine& line : series.curves.lines) {
        std::vector<double> values;
        for (const QString& name : names)
            values.push_back(line.*logValueOf(name));
        values.push_back(line.perplexity);
        rows.add(QString::number(line.step), values);
    }
    return rows.table(nameOfRun(series), names + QStringList{"perplexity"});
}

} // namespace

RunsOptions RunsOptions::fromJson(const QJsonObject& object)
{
    RunsOptions options;
    const int column = object["column"].toInt(options.column);
    options.column = column >= 0 && column < kColumns ? column : options.column;
    options.rising = object["rising"].toBool(options.rising);
    options.filter = object["filter"].toString();
    options.curve = object["curve"].toString(options.curve);
    if (!logValueOf(options.curve) && !options.curve.startsWith(kHead))
        options.curve = RunsOptions().curve;
    options.byTokens = object["byTokens"].toBool();
    options.logarithmicX = object["logX"].toBool();
    options.logarithmicY = object["logY"].toBool();
    return options;
}

QJsonObject RunsOptions::toJson() const
{
    return {{"column", column},     {"rising", rising},     {"filter", filter},    {"curve", curve},
            {"byTokens", byTokens}, {"logX", logarithmicX}, {"logY", logarithmicY}};
}

QStringList curveNames(const std::vector<RunSeries>& series)
{
    QStringList names{"val_loss", "loss", "val_accuracy", "lr", "grad_norm", "tokens_per_s"};
    for (const RunSeries& one : series)
        for (const std::string& score : one.heads.names())
            if (const QString name = kHead + QString::fromStdString(score); !names.contains(name))
                names << name;
    return names;
}

QString curveTitle(const QString& name)
{
    if (name.startsWith(kHead)) {
        QString score = name.mid(kHead.size());
        return tr("Highest %1 of any head").arg(score.replace(QLatin1Char('_'), QLatin1Char(' ')));
    }
    static const std::pair<const char*, const char*> kTitles[] = {
        {"val_loss", QT_TR_NOOP("Validation loss")},
        {"loss", QT_TR_NOOP("Training loss")},
        {"val_accuracy", QT_TR_NOOP("Validation accuracy")},
        {"lr", QT_TR_NOOP("Learning rate")},
        {"grad_norm", QT_TR_NOOP("Gradient norm")},
        {"tokens_per_s", QT_TR_NOOP("Tokens per second")}};
    for (const auto& [known, title] : kTitles)
        if (name == QLatin1String(known))
            return tr(title);
    return name;
}

double tokensAt(const RunSeries& series, std::int64_t step)
{
    double tokens = 0.0;
    std::int64_t done = 0;
    std::int64_t batch = series.batchSize;
    for (const RunEvent& event : series.curves.events) {
        if (event.kind != RunEvent::Kind::SettingsChanged || !event.settings || event.step >= step)
            continue;
        tokens += static_cast<double>((event.step - done) * batch);
        done = event.step;
        batch = event.settings->batchSize;
    }
    tokens += static_cast<double>((step - done) * batch);
    return tokens * static_cast<double>(series.length);
}

LineChartContent runsChart(const std::vector<RunSeries>& series, const RunsOptions& options)
{
    LineChartContent content;
    content.title = curveTitle(options.curve);
    content.unit = options.byTokens ? tr("tokens") : tr("step");
    content.numbersBelow = true;
    content.decimals =
        options.curve == QLatin1String("lr") || options.curve == QLatin1String("grad_norm") ? -1
                                                                                            : 3;
    int slot = 0;
    for (const RunSeries& one : series) {
        LineChartCurve curve = curveOf(one, options, slot++);
        if (isNoisy(options.curve)) {
            auto smooth = smoothedPoints(curve.points, kSmoothRadius);
            std::swap(smooth, curve.points);
            if (series.size() == 1)
                curve.raw = std::move(smooth);
        }
        if (series.size() == 1 || options.curve == QLatin1String("val_loss"))
            addMarks(content, one, options);
        content.curves.push_back(std::move(curve));
    }
    content.note =
        options.byTokens ? tr("by tokens: rows of a batch \u00D7 longest row") : tr("by step");
    if (isNoisy(options.curve))
        content.note += tr(" \u00B7 smoothed over %1 points").arg(2 * kSmoothRadius + 1);
    content.x = axisOfX(content, options.logarithmicX);
    content.y = axisOf(content.curves, options.logarithmicY);
    return content;
}

Figure runsFigure(const std::vector<RunSeries>& series, const RunsOptions& options)
{
    if (series.empty())
        return {};
    const LineChartContent content = runsChart(series, options);
    Figure figure;
    figure.title = content.title;
    QStringList names;
    for (const RunSeries& one : series)
        names << nameOfRun(one);
    figure.subtitle = names.join(QStringLiteral(", "));
    figure.caption = tr("%1 of %2, %3.").arg(content.title, figure.subtitle, content.note);
    figure.size = [](const Theme& theme) { return kFigureSize * theme.scale(); };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget&) {
        paintLineChart(painter, area, content, theme);
    };
    for (const RunSeries& one : series)
        if (!one.curves.lines.empty())
            figure.numbers.push_back(tableOf(one));
    return figure;
}

} // namespace headscope::ui
