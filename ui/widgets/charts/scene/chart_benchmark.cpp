#include "ui/widgets/charts/scene/chart_benchmark.h"

#include "core/base/stopwatch.h"
#include "ui/widgets/charts/lines/line_chart_plot.h"
#include "ui/widgets/charts/scene/chart_scene.h"

#include <QChart>
#include <QChartView>
#include <QImage>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace headscope::ui {

namespace {

/// Number of alternating data sets, so that no result can be reused from a cache.
constexpr int kVariants = 2;
const QSize kSize(800, 400);

double smoothLoss(double step)
{
    return 8.0 * std::exp(-step / 2000.0) + 1.0;
}

QList<QPointF> losses(int count, int variant)
{
    std::mt19937 random(static_cast<unsigned>(variant));
    std::normal_distribution<double> noise(0.0, 0.1);
    QList<QPointF> points;
    for (int step = 0; step < count; ++step)
        points.append({double(step), smoothLoss(step) + noise(random)});
    return points;
}

LineChartContent lossContent(const QList<QPointF>& points)
{
    LineChartContent content;
    content.title = "Loss";
    LineChartCurve training;
    training.name = "training";
    training.raw.assign(points.begin(), points.end());
    for (const QPointF& point : points)
        training.points.emplace_back(point.x(), smoothLoss(point.x()));
    content.curves = {training};
    content.jumps = {{2000.0, 2600.0, "Jump at step 2000", "induction of head 1.1"}};
    content.x = {0.0, static_cast<double>(points.size()), false};
    content.y = axisOf(content.curves, false);
    content.perplexity = true;
    return content;
}

double ours(const QList<QPointF> (&points)[kVariants], int rounds)
{
    const LineChartContent contents[kVariants]{lossContent(points[0]), lossContent(points[1])};
    const Theme theme = Theme::named(false, bodyFont());
    ChartScene scene;
    QImage page(kSize, QImage::Format_RGB32);
    return medianMilliseconds(rounds, [&](int round) {
        scene.show(LineChartPlot(contents[round % kVariants], kSize, theme).plot());
        page.fill(theme.surface);
        QPainter painter(&page);
        scene.paint(painter, QRectF(QPointF(), kSize));
    });
}

double naive(const QList<QPointF> (&points)[kVariants], int rounds)
{
    auto* series = new QLineSeries;
    auto* chart = new QChart;
    chart->addSeries(series);
    chart->createDefaultAxes();
    QChartView view(chart);
    view.setRenderHint(QPainter::Antialiasing);
    view.resize(kSize);
    for (QAbstractAxis* axis : chart->axes(Qt::Horizontal))
        axis->setRange(0, static_cast<int>(points[0].size()));
    for (QAbstractAxis* axis : chart->axes(Qt::Vertical))
        axis->setRange(0, 10);
    series->setPen(QPen(Qt::darkBlue, 2.0));
    QImage page(kSize, QImage::Format_RGB32);
    return medianMilliseconds(rounds, [&](int round) {
        series->replace(points[round % kVariants]);
        QPainter painter(&page);
        view.render(&painter);
    });
}

} // namespace

ChartTimes measureLossChart(int points, int rounds, int naiveRounds)
{
    const QList<QPointF> data[kVariants]{losses(points, 0), losses(points, 1)};
    return {ours(data, rounds), naive(data, naiveRounds)};
}

} // namespace headscope::ui
