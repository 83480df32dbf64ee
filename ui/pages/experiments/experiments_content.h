#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/tables/fact_table.h"
#include "ui/workers/training/experiment_worker.h"

namespace headscope::ui {

std::vector<FactColumn> experimentColumns();

/// Table of experiments; `finished` maps names to date and time, or "".
std::vector<FactRow> experimentRows(const std::map<std::string, std::string>& finished,
                                    const std::string& running);

/// Loss of every variant in one chart, mean over the seeds: on held-out data, or in training
/// (smoothed).
LineChartContent variantsChart(const Experiment& experiment, const ExperimentRecord& record,
                               bool training);

/// Plot of the experiment beside the loss; a `plot` one past the last is the scaling law.
LineChartContent plotChart(const Experiment& experiment, const ExperimentResult& result,
                           std::size_t plot);
QStringList plotTitles(const Experiment& experiment, const ExperimentRecord& record);

/// Table of measurements, one row per variant; where several seeds are trained, one row with mean and
/// spread, which opens the run of the first.
std::vector<FactColumn> numberColumns(const ExperimentResult& result);
std::vector<FactRow> numberRows(const Experiment& experiment, const ExperimentResult& result);

/// Summary: "Finished 2026-11-21 20:15 on cpu · 400 steps each · seed 1 · differs in: the causal
/// mask".
QString recordText(const Experiment& experiment, const ExperimentRecord& record);

/// Fitted law: "L(N) = 1.42 + 120 · N^−0.71, mean error 1.2 %".
QString lawText(const PowerLaw& law);

Figure experimentFigure(const Experiment& experiment, const ExperimentRecord& record,
                        bool training);

} // namespace headscope::ui
