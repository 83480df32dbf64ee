#include "ui/pages/shared/runs/run_form_content.h"

#include "ui/widgets/style/theme.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr std::int64_t kMostPoints = 1000;

} // namespace

LineChartContent scheduleChart(const TrainingConfig& config)
{
    LineChartContent content;
    content.title = tr("Learning rate");
    content.unit = tr("step");
    content.numbersBelow = true;
    content.decimals = -1;
    content.x = {0.0, static_cast<double>(std::max<std::int64_t>(config.steps, 1)), false};
    LineChartCurve curve;
    curve.name = tr("learning rate");
    curve.ending = QStringLiteral(" ");
    curve.tone = LineChartCurve::Tone::Subject;
    const std::int64_t stride = std::max<std::int64_t>(1, config.steps / kMostPoints);
    double highest = 0.0;
    const auto add = [&](std::int64_t step) {
        const double rate = config.schedule.rate(config.optimizer.learningRate, step);
        curve.points.emplace_back(static_cast<double>(step), rate);
        highest = std::max(highest, rate);
    };
    for (std::int64_t step = 0; step < config.steps; step += stride)
        add(step);
    const std::int64_t turn = config.schedule.warmupSteps; // The peak is always included.
    if (stride > 1 && turn > 0 && turn < config.steps) {
        add(turn);
        std::sort(curve.points.begin(), curve.points.end(),
                  [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
    }
    content.note =
        config.steps > 0 ? tr("peak %1").arg(QString::number(highest, 'g', 3)) : tr("no steps");
    content.curves.push_back(std::move(curve));
    content.y = highest > 0.0 ? axisAround(0.0, highest, 4) : ChartAxis{0.0, 1.0, false};
    return content;
}

QString timeText(double seconds)
{
    const auto whole = static_cast<long long>(std::llround(std::max(seconds, 0.0)));
    if (seconds < 1.0)
        return tr("under 1 s");
    if (whole < 60)
        return tr("%1 s").arg(whole);
    if (whole < 3600)
        return tr("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    if (whole < 48 * 3600)
        return tr("%1 h %2 min").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, QLatin1Char('0'));
    return tr("%1 days").arg(count(whole / 86400));
}

QString dayText(const std::string& started)
{
    const QDateTime time = QDateTime::fromString(QString::fromStdString(started), Qt::ISODate);
    return time.isValid() ? time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))
                          : QString();
}

QString memoryText(std::int64_t bytes)
{
    const auto size = static_cast<double>(bytes);
    if (size < 1e6)
        return tr("%1 kB").arg(number(size / 1e3, 0));
    return size < 1e9 ? tr("%1 MB").arg(number(size / 1e6, size < 1e7 ? 1 : 0))
                      : tr("%1 GB").arg(number(size / 1e9, 1));
}

QString estimateText(const TrainingConfig& config, const RunEstimate& estimate)
{
    if (!estimate.problem.isEmpty())
        return estimate.problem;
    if (estimate.secondsPerStep <= 0.0)
        return estimate.isComplete ? tr("Not measured.") : tr("Timing a few steps\u2026");
    const QString rows =
        estimate.rowsTimed == estimate.rows
            ? tr("whole batches")
            : tr("%1 of %2 rows of a batch").arg(estimate.rowsTimed).arg(estimate.rows);
    return tr("Based on %1 steps of this model timed on this machine with %2 on %3: %4 ms per "
              "step, %5 steps. Validation and snapshots take additional time.")
        .arg(estimate.stepsTimed)
        .arg(rows, QString::fromStdString(estimate.device),
             number(estimate.secondsPerStep * 1e3, estimate.secondsPerStep < 0.01 ? 2 : 0),
             count(config.steps));
}

QString baselineText(const TaskBaseline& baseline)
{
    QString name = messageText(baseline.name);
    name[0] = name[0].toUpper();
    std::string what = baseline.number;
    std::ranges::replace(what, '_', ' ');
    return tr("%1: %2 %3.").arg(name, messageText(what), number(baseline.value, 3));
}

} // namespace headscope::ui
