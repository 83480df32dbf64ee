#include "ui/pages/experiments/experiments_content.h"

#include "core/experiments/variant_groups.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/runs/run_form_content.h"
#include "ui/widgets/charts/lines/line_chart_plot.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace headscope::ui {

namespace {

constexpr std::size_t kSmoothRadius = 5;
constexpr int kLawPoints = 64;
constexpr QSizeF kFigureSize{960.0, 440.0};

/// The broken variant in orange, the fixed one in blue: the first two hues throughout.
int slotOf(std::size_t variant)
{
    return variant == 0 ? 1 : variant == 1 ? 0 : static_cast<int>(variant);
}

QString shortened(const QString& text)
{
    return text.size() > 11 ? text.left(10) + QStringLiteral("\u2026") : text;
}

/// Variants that differ in their seed alone, as one curve.
LineChartCurve curveOf(const ExperimentVariant& variant, std::size_t group)
{
    LineChartCurve curve;
    curve.name = QString::fromStdString(variant.groupLabel);
    curve.ending = shortened(QString::fromStdString(variant.group));
    curve.tone = LineChartCurve::Tone::Head;
    curve.slot = slotOf(group);
    return curve;
}

/// Indices of the variants of each group, in the order of the experiment.
std::vector<std::vector<std::size_t>> groupsOf(const Experiment& experiment)
{
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t index = 0; index < experiment.variants.size(); ++index) {
        const std::string& group = experiment.variants[index].group;
        if (groups.empty() || experiment.variants[groups.back().front()].group != group)
            groups.emplace_back();
        groups.back().push_back(index);
    }
    return groups;
}

/// Mean over curves, at the places that all of them have.
std::vector<QPointF> meanPoints(const std::vector<std::vector<QPointF>>& curves)
{
    std::map<double, std::pair<double, std::size_t>> sums;
    for (const auto& points : curves) {
        for (const QPointF& point : points) {
            auto& [sum, count] = sums[point.x()];
            sum += point.y();
            ++count;
        }
    }
    std::vector<QPointF> means;
    for (const auto& [x, sum] : sums)
        if (sum.second == curves.size())
            means.emplace_back(x, sum.first / static_cast<double>(sum.second));
    return means;
}

std::vector<QPointF> lossPoints(const RunCurves& curves, bool training)
{
    std::vector<QPointF> points;
    for (const LogLine& line : curves.lines) {
        const double value = training ? line.loss : line.validationLoss;
        if (!std::isnan(value))
            points.emplace_back(static_cast<double>(line.step), value);
    }
    return training ? smoothedPoints(points, kSmoothRadius) : points;
}

void markDivergences(const RunCurves& curves, const QString& variant, LineChartContent& content)
{
    for (const RunEvent& event : curves.events)
        if (event.kind == RunEvent::Kind::Diverged)
            content.marks.push_back(
                {static_cast<double>(event.step), tr("%1 diverged").arg(variant), true});
}

void setAxes(LineChartContent& content, bool logX, bool logY)
{
    double low = std::numeric_limits<double>::infinity();
    double high = 0.0;
    for (const double x : content.places()) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    if (!logX)
        content.x = {0.0, high > 0.0 ? high : 10.0, false};
    else if (high > 0.0 && low > 0.0)
        content.x = axisAround(low, std::max(high, 1.01 * low), 6, true);
    else
        content.x = {1.0, 10.0, true};
    content.y = axisOf(content.curves, logY);
}

std::vector<QPointF> pointsOf(const ExperimentSeries& series)
{
    std::vector<QPointF> points;
    for (std::size_t index = 0; index < std::min(series.x.size(), series.y.size()); ++index)
        points.emplace_back(series.x[index], series.y[index]);
    return points;
}

LineChartContent lawChart(const Experiment& experiment, const ExperimentResult& result)
{
    LineChartContent content;
    content.title = tr("Loss by size");
    content.unit = tr("parameters");
    content.numbersBelow = true;
    double least = std::numeric_limits<double>::infinity();
    double most = 0.0;
    std::size_t index = 0;
    for (const ExperimentVariant& variant : experiment.variants) {
        const VariantResult& measured = result.variant(variant.name);
        LineChartCurve curve = curveOf(variant, index++);
        const double size = measured.number("parameters");
        curve.points.emplace_back(size, measured.number("validation_loss"));
        least = std::min(least, size);
        most = std::max(most, size);
        content.curves.push_back(std::move(curve));
    }
    LineChartCurve fit;
    fit.name = tr("fit");
    fit.ending = tr("fit");
    fit.dashed = true;
    for (int step = 0; step <= kLawPoints; ++step) {
        const double size = least * std::pow(most / least, double(step) / kLawPoints);
        fit.points.emplace_back(size, result.law->at(size));
    }
    content.curves.push_back(std::move(fit));
    content.note = lawText(*result.law);
    setAxes(content, true, true);
    return content;
}

bool has(const VariantResult& variant, const std::string& series)
{
    return std::any_of(variant.series.begin(), variant.series.end(),
                       [&](const ExperimentSeries& one) { return one.name == series; });
}

QString numberText(double value)
{
    if (!std::isfinite(value))
        return tr("not finite");
    if (value == std::floor(value) && std::abs(value) >= 1000.0 && std::abs(value) < 1e15)
        return count(static_cast<long long>(value));
    return std::abs(value) >= 0.001 && std::abs(value) < 1e6 ? number(value, 3)
                                                             : QString::number(value, 'g', 3);
}

/// One number, or mean and spread over the seeds where they differ.
QString groupText(const VariantGroup& group, const std::string& name, bool isCount)
{
    if (!group.has(name))
        return QStringLiteral("\u2013");
    if (isCount)
        return count(static_cast<long long>(group.mean(name)));
    const QString mean = numberText(group.mean(name));
    const double spread = group.spread(name);
    return spread > 0.0 ? QStringLiteral("%1 \u00B1 %2").arg(mean, number(spread, 3)) : mean;
}

/// True for a number that counts something: whole for every variant, and not only 0 and 1.
bool counts(const ExperimentResult& result, const std::string& name)
{
    bool isCount = false;
    for (const VariantResult& variant : result.variants) {
        const auto found = std::ranges::find(variant.numbers, name, &ExperimentNumber::name);
        if (found == variant.numbers.end())
            continue;
        if (found->value != std::floor(found->value))
            return false;
        isCount = isCount || found->value > 1.0;
    }
    return isCount;
}

QString columnText(const std::string& name)
{
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    return messageText(words);
}

/// Metric names of all variants, in order of appearance.
std::vector<std::string> numberNames(const ExperimentResult& result)
{
    std::vector<std::string> names;
    for (const VariantResult& variant : result.variants)
        for (const ExperimentNumber& one : variant.numbers)
            if (std::find(names.begin(), names.end(), one.name) == names.end())
                names.push_back(one.name);
    return names;
}

NumberTable curvesTable(const LineChartContent& content)
{
    NumberRows rows;
    QStringList columns;
    for (const LineChartCurve& curve : content.curves)
        columns << curve.name;
    for (const double x : content.places()) {
        std::vector<double> values;
        for (const LineChartCurve& curve : content.curves) {
            const auto found = std::find_if(curve.points.begin(), curve.points.end(),
                                            [x](const QPointF& point) { return point.x() == x; });
            values.push_back(found == curve.points.end() ? std::numeric_limits<double>::quiet_NaN()
                                                         : found->y());
        }
        rows.add(QString::number(x, 'g', 10), values);
    }
    return rows.table(QStringLiteral("curves"), columns);
}

} // namespace

std::vector<FactColumn> experimentColumns()
{
    return {{tr("Experiment"), {}, 150, false, true},
            {tr("Row"), tr("From the curriculum"), 72},
            {tr("Result"), tr("Hover for the date"), 92}};
}

std::vector<FactRow> experimentRows(const std::map<std::string, std::string>& finished,
                                    const std::string& running)
{
    std::vector<FactRow> rows;
    for (const Experiment& experiment : experimentCatalogue()) {
        const auto day = finished.find(experiment.name);
        const bool isDone = day != finished.end() && !day->second.empty();
        const bool isRunning = experiment.name == running;
        FactRow row;
        row.id = QString::fromStdString(experiment.name);
        row.texts = {QString::fromStdString(experiment.title),
                     QString::fromStdString(experiment.row),
                     isRunning ? tr("running")
                     : isDone  ? tr("done")
                               : tr("not run")};
        row.toolTip = isDone ? tr("Finished %1").arg(dayText(day->second))
                             : QString::fromStdString(experiment.description);
        row.dot = isRunning ? FactRow::Dot::Live : isDone ? FactRow::Dot::Good : FactRow::Dot::None;
        rows.push_back(std::move(row));
    }
    return rows;
}

LineChartContent variantsChart(const Experiment& experiment, const ExperimentRecord& record,
                               bool training)
{
    LineChartContent content;
    content.title = training ? tr("Training loss") : tr("Validation loss");
    content.unit = tr("step");
    content.numbersBelow = true;
    for (const auto& group : groupsOf(experiment)) {
        LineChartCurve curve = curveOf(experiment.variants[group.front()], content.curves.size());
        std::vector<std::vector<QPointF>> seeds;
        for (const std::size_t index : group) {
            if (index >= record.variants.size())
                break;
            const RunCurves& curves = record.variants[index].curves;
            seeds.push_back(lossPoints(curves, training));
            markDivergences(curves, QString::fromStdString(experiment.variants[index].label),
                            content);
        }
        curve.points = meanPoints(seeds);
        content.curves.push_back(std::move(curve));
    }
    content.note = training ? tr("smoothed over %1 points").arg(2 * kSmoothRadius + 1) : QString();
    setAxes(content, false, false);
    double steps = 0.0;
    for (const ExperimentVariant& variant : experiment.variants)
        steps = std::max(steps, static_cast<double>(variant.config.steps));
    content.x = {0.0, std::max(steps, 1.0), false};
    return content;
}

QStringList plotTitles(const Experiment& experiment, const ExperimentRecord& record)
{
    QStringList titles;
    if (!record.result)
        return titles;
    for (const ExperimentPlot& plot : experiment.plots)
        titles << QString::fromStdString(plot.title);
    if (record.result->law)
        titles << tr("Loss by size");
    return titles;
}

LineChartContent plotChart(const Experiment& experiment, const ExperimentResult& result,
                           std::size_t plot)
{
    if (plot >= experiment.plots.size())
        return result.law ? lawChart(experiment, result) : LineChartContent();
    const ExperimentPlot& shown = experiment.plots[plot];
    LineChartContent content;
    content.title = QString::fromStdString(shown.title);
    content.unit = QString::fromStdString(shown.x);
    content.note = tr("%1 by %2").arg(QString::fromStdString(shown.y), content.unit);
    content.numbersBelow = true;
    content.decimals = -1;
    for (const auto& group : groupsOf(experiment)) {
        LineChartCurve curve = curveOf(experiment.variants[group.front()], content.curves.size());
        for (const std::size_t index : group) {
            const VariantResult& measured = result.variant(experiment.variants[index].name);
            if (!has(measured, shown.series))
                continue;
            const std::vector<QPointF> points = pointsOf(measured.curve(shown.series));
            curve.points.insert(curve.points.end(), points.begin(), points.end());
        }
        content.curves.push_back(std::move(curve));
    }
    setAxes(content, shown.logX, shown.logY);
    return content;
}

std::vector<FactColumn> numberColumns(const ExperimentResult& result)
{
    std::vector<FactColumn> columns{{tr("Variant"), {}, 200, false, true}};
    for (const std::string& name : numberNames(result))
        columns.push_back({columnText(name), columnText(name), 104, true, true});
    return columns;
}

std::vector<FactRow> numberRows(const Experiment& experiment, const ExperimentResult& result)
{
    std::vector<FactRow> rows;
    for (const VariantGroup& group : variantGroups(experiment, result)) {
        const VariantResult& variant = *group.variants.front();
        FactRow row;
        row.id = QString::fromStdString(variant.name);
        row.hue = slotOf(rows.size());
        row.texts << QString::fromStdString(group.label);
        for (const std::string& name : numberNames(result))
            row.texts << groupText(group, name, counts(result, name));
        row.toolTip = messageText(!variant.problem.empty()  ? variant.problem
                                  : !variant.sample.empty() ? variant.sample
                                                            : group.label);
        if (group.variants.size() > 1)
            row.toolTip =
                tr("Mean \u00B1 standard deviation over %1 seeds").arg(group.variants.size());
        rows.push_back(std::move(row));
    }
    return rows;
}

QString lawText(const PowerLaw& law)
{
    return tr("L(N) = %1 + %2 \u00B7 N^\u2212%3, mean error %4 %")
        .arg(number(law.floor, 3), QString::number(law.factor, 'g', 3), number(law.exponent, 3),
             number(100.0 * law.residual, 1));
}

QString recordText(const Experiment& experiment, const ExperimentRecord& record)
{
    QStringList words;
    if (record.result)
        words << tr("Finished %1").arg(dayText(record.finished));
    if (!record.device.empty())
        words << messageText(record.device);
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = 0;
    for (const ExperimentVariant& variant : experiment.variants) {
        fewest = std::min(fewest, variant.config.steps);
        most = std::max(most, variant.config.steps);
    }
    words << (fewest == most ? tr("%1 steps each").arg(count(most))
                             : tr("%1 to %2 steps").arg(count(fewest), count(most)));
    std::set<std::uint64_t> seeds;
    for (const ExperimentVariant& variant : experiment.variants)
        seeds.insert(variant.config.seed);
    words << (seeds.size() > 1 ? tr("%1 seeds").arg(seeds.size())
                               : tr("seed %1").arg(*seeds.begin()));
    words << tr("differs in: %1").arg(QString::fromStdString(experiment.difference));
    return words.join(QStringLiteral(" \u00B7 "));
}

Figure experimentFigure(const Experiment& experiment, const ExperimentRecord& record, bool training)
{
    const LineChartContent losses = variantsChart(experiment, record, training);
    std::vector<LineChartContent> charts;
    if (!losses.isEmpty())
        charts.push_back(losses);
    if (record.result)
        for (int plot = 0; plot < plotTitles(experiment, record).size(); ++plot)
            charts.push_back(plotChart(experiment, *record.result, static_cast<std::size_t>(plot)));
    if (charts.empty())
        return {};
    Figure figure;
    figure.title = QString::fromStdString(experiment.title);
    figure.subtitle = recordText(experiment, record);
    figure.caption = messageText(record.result ? record.result->conclusion : experiment.measured);
    figure.size = [charts](const Theme& theme) {
        return QSizeF(kFigureSize.width(),
                      kFigureSize.height() * static_cast<double>(charts.size())) *
               theme.scale();
    };
    figure.paint = [charts](QPainter& painter, const QRectF& area, const Theme& theme,
                            const FigureTarget&) {
        const double height = area.height() / static_cast<double>(charts.size());
        for (std::size_t index = 0; index < charts.size(); ++index) {
            const QRectF place(area.x(), area.y() + height * static_cast<double>(index),
                               area.width(), height - 16.0);
            paintLineChart(painter, place, charts[index], theme);
        }
    };
    for (const LineChartContent& chart : charts) {
        figure.numbers.push_back(curvesTable(chart));
        figure.numbers.back().name = chart.title;
    }
    return figure;
}

} // namespace headscope::ui
