#pragma once

#include "ui/views/overview_figure.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/score_table.h"

namespace headscope::ui {

/// What the page of all heads shows: one part, by one score.
struct HeadsChoice
{
    HeadScore score = HeadScore::Induction;
    bool rising = false;
    bool onProbe = false; ///< measured on random repeats instead of the text
};

HeadsChoice headsChoice(const QJsonObject& options);
QJsonObject toJson(const HeadsChoice& choice);

/// One square a head, coloured by the score: 0 to 1, distances up to the largest.
HeadGridContent scoreGrid(const Looking& looking, const HeadScoreTable& table, HeadScore score);
ColourBarContent scoreLegend(const Looking& looking, const HeadScoreTable& table, HeadScore score);

std::vector<ScoreColumn> scoreColumns(const HeadScoreTable& table, HeadScore sortedBy);
std::vector<ScoreRow> scoreRows(const HeadScoreTable& table, const std::vector<HeadIndex>& order,
                                int keyValueHeads);

/// Share of the attention by how far back it goes: 0, 1, 2-3, 4-7 ...; later keys as "ahead".
std::vector<Bar> distanceBars(const HeatmapMatrix& pattern);

/// No head has this score on this text; why, in one sentence. Empty when one has.
QString whyUndefined(const HeadScoreTable& table, const HeadsChoice& choice, AttentionPart part);

/// The map of scores and the first heads by it.
Figure headsFigure(const Looking& looking, const QJsonObject& options);
Figure headsFigure(const Looking& looking, const HeadsChoice& choice, const HeadScoreTable& table);

} // namespace headscope::ui
