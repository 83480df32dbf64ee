#pragma once

#include "core/experiments/task_baseline.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/workers/training/run_meter.h"

namespace headscope::ui {

/// The learning rates of a run, as they will be: at most about a thousand of them.
LineChartContent scheduleChart(const TrainingConfig& config);

/// "about 2:05 min", "3 s", "1 h 05 min".
QString timeWords(double seconds);

QString dayWords(const std::string& started); ///< "2026-11-21 20:15" here and now; empty: ""

QString memoryWords(std::int64_t bytes); ///< "7.9 MB"

/// How long the run takes and from what that was measured; or why it is not known.
QString estimateWords(const TrainingConfig& config, const RunEstimate& estimate);

/// "Always the most frequent answer: token accuracy 0.031."
QString baselineWords(const TaskBaseline& baseline);

} // namespace headscope::ui
