#pragma once

#include "ui/pages/runs/runs_content.h"
#include "ui/widgets/tables/fact_table.h"

namespace headscope::ui {

std::vector<FactColumn> runColumns();

/// Those in which every word of the filter is found, sorted.
std::vector<const RunEntry*> shownRuns(const std::vector<RunEntry>& runs,
                                       const RunsOptions& options);

/// `chosen` get the hue that their curve has.
std::vector<FactRow> runRows(const std::vector<const RunEntry*>& runs, const QStringList& chosen);

QString runId(const RunEntry& run); ///< its path
QString stateWords(RunSummary::State state);

/// "Reverse · 125 412 parameters · seed 3 · from stories at step 400".
QString runFacts(const RunEntry& run);

/// The settings in which two runs differ.
std::vector<FactColumn> differenceColumns(const RunEntry& first, const RunEntry& second);
std::vector<FactRow> differenceRows(const RunEntry& first, const RunEntry& second);

} // namespace headscope::ui
