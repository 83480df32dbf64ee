#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/score_names.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/workers/forward/head_scorer.h"

namespace headscope::ui {

/// The shown run's heads of the selected part. A table gives the order inside each layer; `hidden`
/// may be null where thumbnails show all tokens, whatever the display hides.
HeadGridContent gridContent(const Looking& looking, const HeadScoreTable* table = nullptr,
                            HeadScore score = HeadScore::InductionOnText,
                            const std::vector<ThumbnailPtr>* hidden = nullptr);

/// "Each layer from the highest induction (left) to the lowest"; of an unsorted grid its counts.
QString gridWords(const HeadGridContent& content, std::optional<HeadScore> sortedBy);

/// Of each layer its heads, largest score first: HeadGridContent::order.
std::vector<int> orderInLayers(const HeadScoreTable& table, HeadScore score);

/// Heads down, scores across.
NumberTable scoresTable(const HeadScoreTable& table);

ColourBarContent gridLegend(const Looking& looking);

/// What thumbnails say of tokens that the display hides: "without the first token", or that these
/// small pictures show all tokens; empty where nothing is hidden.
QString gridMark(const Looking& looking, const std::vector<ThumbnailPtr>* hidden);

/// All heads of the selected part; `options`: "sort", a scoreKey.
Figure gridFigure(const Looking& looking, const QJsonObject& options);

/// The same with scores that are known already; without them it is unsorted and has no numbers.
Figure gridFigure(const Looking& looking, std::optional<HeadScore> sort,
                  const HeadScoreTable* table);

} // namespace headscope::ui
