#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/tables/fact_table.h"
#include "ui/workers/training/experiment_worker.h"

namespace headscope::ui {

std::vector<FactColumn> experimentColumns();

/// `finished` by name: day and time, or "".
std::vector<FactRow> experimentRows(const std::map<std::string, std::string>& finished,
                                    const std::string& running);

/// The loss of every variant in one chart: on held-out data, or in training (smoothed).
LineChartContent variantsChart(const Experiment& experiment, const ExperimentRecord& record,
                               bool training);

/// A picture of the experiment beside the loss; `plot` may be one past the last: the scaling law.
LineChartContent plotChart(const Experiment& experiment, const ExperimentResult& result,
                           std::size_t plot);
QStringList plotTitles(const Experiment& experiment, const ExperimentRecord& record);

/// What was measured, a row a variant.
std::vector<FactColumn> numberColumns(const ExperimentResult& result);
std::vector<FactRow> numberRows(const Experiment& experiment, const ExperimentResult& result);

/// "Finished 2026-11-21 20:15 on cpu · 400 steps each · seed 1 · differs in: the causal mask".
QString recordWords(const Experiment& experiment, const ExperimentRecord& record);

/// "L(N) = 1.42 + 120 · N^−0.71, off by 1.2 % in the mean".
QString lawWords(const PowerLaw& law);

Figure experimentFigure(const Experiment& experiment, const ExperimentRecord& record,
                        bool training);

} // namespace headscope::ui
