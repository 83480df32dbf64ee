#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/score_names.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/workers/forward/head_scorer.h"

namespace headscope::ui {

/// Heads of the selected part of the shown variant. A table gives the order within each layer;
/// `hidden` may be null where thumbnails show all tokens, whatever the display hides.
HeadGridContent gridContent(const ViewSnapshot& view, const HeadScoreTable* table = nullptr,
                            HeadScore score = HeadScore::InductionOnText,
                            const std::vector<ThumbnailPtr>* hidden = nullptr);

/// Order text: "Each layer from the highest induction (left) to the lowest"; for an unsorted grid,
/// its size.
QString gridText(const HeadGridContent& content, std::optional<HeadScore> sortedBy);

/// Heads of each layer, largest score first: HeadGridContent::order.
std::vector<int> orderInLayers(const HeadScoreTable& table, HeadScore score);

/// Heads down, scores across.
NumberTable scoresTable(const HeadScoreTable& table);

ColourBarContent gridLegend(const ViewSnapshot& view);

/// Note on hidden tokens in thumbnails: "without the first token", or that they show all tokens;
/// otherwise on the column of an attention sink; mostly empty.
QString gridMark(const ViewSnapshot& view, const std::vector<ThumbnailPtr>* hidden);

/// All heads of the selected part; `options`: "sort", a scoreKey.
Figure gridFigure(const ViewSnapshot& view, const QJsonObject& options);

/// Same, with known scores; without them it is unsorted and has no numbers.
Figure gridFigure(const ViewSnapshot& view, std::optional<HeadScore> sort,
                  const HeadScoreTable* table);

} // namespace headscope::ui
