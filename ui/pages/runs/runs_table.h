#pragma once

#include "ui/pages/runs/runs_content.h"
#include "ui/widgets/tables/fact_table.h"

namespace headscope::ui {

std::vector<FactColumn> runColumns();

/// Runs that match every word of the filter, sorted.
std::vector<const RunEntry*> shownRuns(const std::vector<RunEntry>& runs,
                                       const RunsOptions& options);

/// Table rows; `chosen` runs get the hue of their curve.
std::vector<FactRow> runRows(const std::vector<const RunEntry*>& runs, const QStringList& chosen);

QString runId(const RunEntry& run); ///< Path of the run.
QString stateText(RunSummary::State state);

/// Facts of a run: "Reverse · 125 412 parameters · seed 3 · from stories at step 400".
QString runFacts(const RunEntry& run);

/// Settings that differ between two runs.
std::vector<FactColumn> differenceColumns(const RunEntry& first, const RunEntry& second);
std::vector<FactRow> differenceRows(const RunEntry& first, const RunEntry& second);

} // namespace headscope::ui
