#pragma once

#include "core/analysis/report/model_report.h"
#include "ui/widgets/text/document.h"

namespace headscope::ui {

/// The whole report as a single column: measurements, methods and results.
void setReport(Document& document, const ModelReport& report);

// Its sections, in order.
void addReportOpening(Document& document, const ModelReport& report);
void addReportModel(Document& document, const ModelReport& report);
void addReportText(Document& document, const ModelReport& report);
void addReportScores(Document& document, const ModelReport& report);
void addReportLabels(Document& document, const ModelReport& report);
void addReportAblation(Document& document, const ModelReport& report);
void addReportLens(Document& document, const ModelReport& report);
void addReportAttribution(Document& document, const ModelReport& report);
void addReportSettings(Document& document, const ModelReport& report);
void addReportTables(Document& document, const ModelReport& report); ///< Scores of all heads.

QString reportText(const std::string& text); ///< Text of core, in the user's language.
QString reportText(std::string_view text);
QString ended(const QString& text);                  ///< Text with a full stop added.
QString sentenceCase(const QString& text);           ///< Text with its first letter capitalised.
QString headNames(const std::vector<HeadId>& heads); ///< Head names such as "L1H3, L0H2".

/// Token in quotation marks.
QString quotedToken(const ReportToken& token);

} // namespace headscope::ui
