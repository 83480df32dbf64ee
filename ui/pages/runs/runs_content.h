#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/workers/training/run_reader.h"

namespace headscope::ui {

/// View options of the runs page.
struct RunsOptions
{
    enum Column { Name, Task, Model, Step, Loss, Best, Seed, Device, Started, State, kColumns };

    int column = Started;
    bool rising = false;
    QString filter;
    QString curve = QStringLiteral("val_loss"); ///< Curve, by a name of curveNames().
    bool byTokens = false;
    bool logarithmicX = false;
    bool logarithmicY = false;

    static RunsOptions fromJson(const QJsonObject& object);
    QJsonObject toJson() const;
};

/// Curve names: val_loss, loss, val_accuracy, lr, grad_norm, tokens_per_s, and "head NAME" for each
/// score that one of them measured.
QStringList curveNames(const std::vector<RunSeries>& series);
QString curveTitle(const QString& name);

/// Chart with one curve per run; raw and smoothed for a single run.
LineChartContent runsChart(const std::vector<RunSeries>& series, const RunsOptions& options);

/// Upper bound on the tokens processed after `step` updates: rows times positions.
double tokensAt(const RunSeries& series, std::int64_t step);

/// Figure of the chart, with all curves of the runs as tables.
Figure runsFigure(const std::vector<RunSeries>& series, const RunsOptions& options);

} // namespace headscope::ui
