#pragma once

#include "core/analysis/report/model_report.h"
#include "ui/widgets/text/document.h"

namespace headscope::ui {

/// The whole report, set in one column: what was measured, how, and what came out.
void setReport(Document& document, const ModelReport& report);

// Its sections, in this order.
void addReportOpening(Document& document, const ModelReport& report);
void addReportModel(Document& document, const ModelReport& report);
void addReportText(Document& document, const ModelReport& report);
void addReportScores(Document& document, const ModelReport& report);
void addReportLabels(Document& document, const ModelReport& report);
void addReportAblation(Document& document, const ModelReport& report);
void addReportLens(Document& document, const ModelReport& report);
void addReportAttribution(Document& document, const ModelReport& report);
void addReportSettings(Document& document, const ModelReport& report);
void addReportTables(Document& document, const ModelReport& report); ///< scores of all heads

QString reportText(const std::string& text); ///< UTF-8
QString reportText(std::string_view text);
QString ended(const QString& text);                  ///< with a full stop
QString sentenceCase(const QString& text);           ///< its first letter a capital
QString headNames(const std::vector<HeadId>& heads); ///< "L1H3, L0H2"

/// A token between quotation marks.
QString quotedToken(const ReportToken& token);

} // namespace headscope::ui
