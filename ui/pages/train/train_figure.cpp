#include "ui/pages/train/train_figure.h"

#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/train/train_texts.h"
#include "ui/widgets/charts/lines/line_chart_plot.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>
#include <limits>
#include <set>

namespace headscope::ui {

namespace {

constexpr QSizeF kSize{1200.0, 720.0};
constexpr double kCharts = 0.58; ///< Fraction of the width.
constexpr double kTop = 40.0;
constexpr double kTimeline = 100.0;

void paintReadings(QPainter& painter, const QRectF& area, const TrainContent& trainContent,
                   const Theme& theme)
{
    const std::int64_t step = trainContent.shown.value_or(trainContent.record.step);
    painter.setFont(theme.font(TextRole::Title));
    painter.setPen(theme.text);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Step %1 of %2").arg(count(step), count(trainContent.record.steps)));
    QStringList parts;
    for (const TrainReading& reading : readingsOf(trainContent))
        parts << reading.name + QLatin1Char(' ') + reading.value;
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text2);
    painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter,
                     parts.join(QStringLiteral(" \u00B7 ")));
}

void paintSide(QPainter& painter, const QRectF& area, const TrainContent& trainContent,
               const Theme& theme, const FigureTarget& target)
{
    painter.setFont(theme.font(TextRole::Heading));
    painter.setPen(theme.text);
    painter.drawText(QRectF(area.x(), area.y(), area.width(), 28), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Attention"));
    const HeadTilesContent tiles = tilesOf(trainContent);
    const QRectF room = area.adjusted(0, 36, 0, -150);
    const HeadTilesLayout layout(room, tiles, theme, target.pixelRatio);
    paintHeadTiles(painter, layout, tiles, theme, target.vectors ? 4.0 : target.pixelRatio);
    const QRectF words = area.adjusted(0, area.height() - 140, 0, 0);
    painter.setFont(theme.font(TextRole::Heading));
    painter.setPen(theme.text);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignTop, trainContent.title);
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text2);
    painter.drawText(words.adjusted(0, 26, 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     taskText(trainContent) + QLatin1Char('\n') + factsOf(trainContent.record));
}

void paintCharts(QPainter& painter, const QRectF& area, const TrainContent& trainContent,
                 const Theme& theme)
{
    const bool hasLog = !trainContent.record.isSeries();
    const double height = (area.height() - kTimeline) / (hasLog ? 2.0 : 1.0);
    LineChartContent upper = upperChart(trainContent);
    LineChartContent lower = lowerChart(trainContent);
    upper.note.clear();
    lower.note.clear();
    if (trainContent.options.lower == TrainOptions::Lower::Scores)
        lower.note = scoreText(scoreInUse(trainContent));
    const QRectF first(area.x(), area.y(), area.width(), height);
    if (hasLog)
        paintLineChart(painter, first, upper, theme);
    const QRectF second = hasLog ? first.translated(0, height) : first;
    paintLineChart(painter, second, lower, theme);
    const TimelineContent timeline = timelineOf(trainContent);
    const QRectF third(area.x(), area.bottom() - kTimeline, area.width(), kTimeline);
    paintTimeline(painter, TimelineLayout(third, timeline, theme), timeline, theme);
}

/// Rows by step; NaN where a curve has no value.
NumberTable tableOf(const QString& name,
                    const std::vector<std::pair<QString, std::vector<QPointF>>>& curves)
{
    std::set<double> steps;
    for (const auto& [title, points] : curves)
        for (const QPointF& point : points)
            steps.insert(point.x());
    NumberTable table;
    table.name = name;
    std::map<double, std::size_t> rows;
    for (const double step : steps) {
        rows[step] = rows.size();
        table.rows << QString::number(static_cast<long long>(step));
    }
    std::vector<float> values(steps.size() * curves.size(),
                              std::numeric_limits<float>::quiet_NaN());
    for (std::size_t column = 0; column < curves.size(); ++column) {
        table.columns << curves[column].first;
        for (const QPointF& point : curves[column].second)
            values[rows[point.x()] * curves.size() + column] = static_cast<float>(point.y());
    }
    table.values = HeatmapMatrix::copyOf(std::move(values), static_cast<int>(steps.size()),
                                         static_cast<int>(curves.size()));
    return table;
}

NumberTable curvesTable(const TrainingRecord& record)
{
    std::vector<std::pair<QString, std::vector<QPointF>>> curves{
        {"loss", record.loss},
        {"val_loss", record.validation},
        {"val_accuracy", record.accuracy},
        {"lr", record.learningRate},
        {"grad_norm", record.gradientNorm}};
    for (const auto& [part, values] : record.lossParts)
        curves.emplace_back(QString::fromStdString(part), values);
    for (const auto& [layer, norms] : record.layerNorms)
        curves.emplace_back("grad_norm " + QString::fromStdString(layer), norms);
    return tableOf("curves", curves);
}

NumberTable scoresOf(const TrainingRecord& record)
{
    std::vector<std::pair<QString, std::vector<QPointF>>> curves;
    const std::vector<std::int64_t> steps = record.heads.steps();
    for (const std::string& score : record.heads.names()) {
        for (const HeadId& place : record.heads.places()) {
            const std::vector<double> values = record.heads.curve(score, place);
            std::vector<QPointF> points;
            for (std::size_t index = 0; index < values.size(); ++index)
                points.emplace_back(double(steps[index]), values[index]);
            curves.emplace_back(QString::fromStdString(score + " " + toString(place)), points);
        }
    }
    return tableOf("scores", curves);
}

NumberTable expertsOf(const TrainingRecord& record)
{
    std::map<QString, std::vector<QPointF>> loads;
    for (const HeadScorePoint& point : record.heads.points()) {
        for (const ExpertLoads& layer : point.experts) {
            for (std::size_t expert = 0; expert < layer.fractions.size(); ++expert)
                loads[QString::fromStdString(layer.layer) +
                      QStringLiteral(" expert %1").arg(expert)]
                    .emplace_back(double(point.step), layer.fractions[expert]);
        }
    }
    return tableOf("expert loads", {loads.begin(), loads.end()});
}

} // namespace

Figure trainFigure(const TrainContent& trainContent)
{
    if (trainContent.record.isEmpty())
        return {};
    Figure figure = figureOf(trainContent.view, trainContent.title);
    figure.subtitle = QString::fromStdString(trainContent.record.folder.filename().string());
    figure.caption =
        trainContent.record.isSeries()
            ? tr("Checkpoints up to step %1: scores of heads, and the attention of the shown "
                 "weights on a fixed scale from 0 to 1. %2")
                  .arg(count(trainContent.record.step), factsOf(trainContent.record))
            : tr("A training run up to step %1 of %2: curves, scores of heads, snapshots, and the "
                 "attention of the shown weights on a fixed scale from 0 to 1. %3")
                  .arg(count(trainContent.record.step), count(trainContent.record.steps),
                       factsOf(trainContent.record));
    figure.size = [](const Theme& theme) { return kSize * theme.scale(); };
    figure.paint = [trainContent](QPainter& painter, const QRectF& area, const Theme& theme,
                                  const FigureTarget& target) {
        const QRectF top(area.x(), area.y(), area.width(), kTop);
        paintReadings(painter, top, trainContent, theme);
        const QRectF body = area.adjusted(0, kTop, 0, 0);
        const double split = std::round(body.width() * kCharts);
        paintCharts(painter, QRectF(body.x(), body.y(), split, body.height()), trainContent, theme);
        paintSide(painter, body.adjusted(split + 16, 0, 0, 0), trainContent, theme, target);
    };
    if (!trainContent.record.isSeries())
        figure.numbers = {curvesTable(trainContent.record)};
    if (!trainContent.record.heads.points().empty())
        figure.numbers.push_back(scoresOf(trainContent.record));
    if (hasExperts(trainContent))
        figure.numbers.push_back(expertsOf(trainContent.record));
    return figure;
}

} // namespace headscope::ui
