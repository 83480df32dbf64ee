#pragma once

#include "core/analysis/report/model_report.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/text/document.h"

namespace headscope::ui {

/// Layers by heads, coloured by one number, with its scale in words.
struct ReportMap
{
    QString title;
    HeadGridContent grid;
    ColourBarContent legend;
};

/// Of a score of one kind of attention: from its lowest to its highest value, an open end being the
/// largest that there is.
ReportMap scoreMap(const HeadScoreTable& table, HeadScore score, int keyValueHeads);

/// Of what switching heads off changes, around 0.
ReportMap effectMap(const ReportAblation& ablation, AttentionKind attention, const QString& title);

/// Side by side, as many as the page is wide for.
void addMaps(Document& document, const std::vector<ReportMap>& maps);

} // namespace headscope::ui
