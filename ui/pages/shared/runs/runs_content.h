#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/tables/fact_table.h"
#include "ui/widgets/charts/line_chart.h"
#include "ui/workers/training/run_reader.h"

namespace headscope::ui {

/// What the person chose to see of the runs.
struct RunsOptions
{
    enum Column { Name, Task, Model, Step, Loss, Best, Seed, Device, Started, State, kColumns };

    int column = Started;
    bool rising = false;
    QString filter;
    QString curve = QStringLiteral("val_loss"); ///< a name of curveNames()
    bool byTokens = false;
    bool logarithmicX = false;
    bool logarithmicY = false;

    static RunsOptions fromJson(const QJsonObject& object);
    QJsonObject toJson() const;
};

// The table.
std::vector<FactColumn> runColumns();

/// Those in which every word of the filter is found, sorted.
std::vector<const RunEntry*> shownRuns(const std::vector<RunEntry>& runs,
                                       const RunsOptions& options);

/// `chosen` get the hue that their curve has.
std::vector<FactRow> runRows(const std::vector<const RunEntry*>& runs, const QStringList& chosen);

QString runId(const RunEntry& run); ///< its path
QString stateWords(RunSummary::State state);
QString dayWords(const std::string& started); ///< "2026-11-21 20:15" here and now; empty: ""

/// "Reverse · 125 412 parameters · seed 3 · from stories at step 400".
QString runFacts(const RunEntry& run);

// The chart.
/// val_loss, loss, val_accuracy, lr, grad_norm, tokens_per_s, and "head NAME" for each score that
/// one of them measured.
QStringList curveNames(const std::vector<RunSeries>& series);
QString curveTitle(const QString& name);

/// One curve a run; raw and smoothed where there is one run alone.
LineChartContent runsChart(const std::vector<RunSeries>& series, const RunsOptions& options);

/// Tokens that a run has seen after `step` updates: rows times positions, as many as they can be.
double tokensAt(const RunSeries& series, std::int64_t step);

// Two configurations.
std::vector<FactColumn> differenceColumns(const RunEntry& first, const RunEntry& second);
std::vector<FactRow> differenceRows(const RunEntry& first, const RunEntry& second);

/// The chart, and all curves of the runs as tables.
Figure runsFigure(const std::vector<RunSeries>& series, const RunsOptions& options);

} // namespace headscope::ui
