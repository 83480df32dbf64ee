#pragma once

#include "ui/views/figure.h"
#include "ui/widgets/colour_bar.h"
#include "ui/widgets/head_grid.h"
#include "ui/workers/head_scorer.h"

namespace headscope::ui {

/// The names of scores: for buttons and table heads, for options, and one sentence each.
QString scoreTitle(HeadScore score);
QString scoreKey(HeadScore score); ///< "induction", "previous": stable
QString scoreMeaning(HeadScore score);
std::optional<HeadScore> scoreNamed(const QString& key);
QString scoreText(HeadScore score, double value); ///< "0.912", "23.0", "–"

/// The shown run's heads of the selected part. A table gives the order inside each layer.
HeadGridContent gridContent(const Looking& looking, const HeadScoreTable* table = nullptr,
                            HeadScore score = HeadScore::Induction);

/// "Each layer from the highest induction (left) to the lowest"; of an unsorted grid its counts.
QString gridWords(const HeadGridContent& content, std::optional<HeadScore> sortedBy);

/// Heads down, scores across.
NumberTable scoresTable(const HeadScoreTable& table);

ColourBarContent gridLegend(const Looking& looking);

/// All heads of the selected part; `options`: "sort", a scoreKey.
Figure gridFigure(const Looking& looking, const QJsonObject& options);

/// The same with scores that are known already; without them it is unsorted and has no numbers.
Figure gridFigure(const Looking& looking, std::optional<HeadScore> sort,
                  const HeadScoreTable* table);

} // namespace headscope::ui
