#pragma once

#include "core/analysis/report/model_report.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/text/document.h"

namespace headscope::ui {

/// Map of layers by heads, coloured by one value, with its scale as text.
struct ReportMap
{
    QString title;
    HeadGridContent grid;
    ColourBarContent legend;
};

/// Map of a score for one kind of attention: from its lowest to its highest value; an open end is
/// the largest present.
ReportMap scoreMap(const HeadScoreTable& table, HeadScore score, int keyValueHeads);

/// Map of ablation effects, centred at 0.
ReportMap effectMap(const ReportAblation& ablation, AttentionKind attention, const QString& title);

/// Maps side by side, as many as the page width allows.
void addMaps(Document& document, const std::vector<ReportMap>& maps);

} // namespace headscope::ui
