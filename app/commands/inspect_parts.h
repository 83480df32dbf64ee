#pragma once

#include "core/analysis/report/model_report.h"

#include <optional>
#include <string>

namespace headscope::app {

/// Parts of a report as text; a missing part gives its reason.
std::string scoresText(const HeadScoreTables& tables);
std::string inContextText(const std::optional<InContextScore>& score); ///< Empty without one.
std::string labelsText(const ReportPart<ReportLabels>& labels);
std::string lensText(const ReportPart<ReportLens>& lens);
std::string attributionText(const ReportPart<ReportAttribution>& attribution);
std::string ablationText(const ReportPart<ReportAblation>& ablation, const std::string& title);

/// Words of a command line, quoted where a shell needs it.
std::string commandLine(const std::vector<std::string>& words);

} // namespace headscope::app
