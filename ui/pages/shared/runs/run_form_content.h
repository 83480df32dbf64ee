#pragma once

#include "core/experiments/task_baseline.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/workers/training/run_meter.h"

namespace headscope::ui {

/// Planned learning rates of a run, at most about a thousand points.
LineChartContent scheduleChart(const TrainingConfig& config);

/// Duration text: "about 2:05 min", "3 s", "1 h 05 min".
QString timeText(double seconds);

QString dayText(const std::string& started); ///< Date text "2026-11-21 20:15", or "" if empty.

QString memoryText(std::int64_t bytes); ///< Size text such as "7.9 MB".

/// Estimated duration of the run and its basis; or why it is not known.
QString estimateText(const TrainingConfig& config, const RunEstimate& estimate);

/// Baseline text: "Always the most frequent answer: token accuracy 0.031."
QString baselineText(const TaskBaseline& baseline);

} // namespace headscope::ui
