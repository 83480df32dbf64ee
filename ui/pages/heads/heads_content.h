#pragma once

#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/points/point_map.h"
#include "ui/widgets/tables/score_table.h"

namespace headscope::ui {

/// What the page of all heads shows: one part, by one score.
struct HeadsChoice
{
    HeadScore score = HeadScore::InductionStripe;
    bool rising = false;
    bool onProbe = false;               ///< by what it is on random repeats rather than on the text
    bool similar = false;               ///< the picture: heads by likeness rather than by layer
    int top = 0;                        ///< so many heads alone; 0: all
    std::optional<HeadLabelKind> label; ///< those with this label alone
};

HeadsChoice headsChoice(const QJsonObject& options);
QJsonObject toJson(const HeadsChoice& choice);

/// What is known of one part's heads; null while it is not.
struct HeadsMeasured
{
    const HeadScoreTable* text = nullptr;
    const HeadScoreTable* repeats = nullptr;
    const HeadScoreTable* survey = nullptr; ///< over the samples, and of the weights
    const HeadLabelTable* labels = nullptr;
    bool isDifference = false; ///< `text` is what B has more than A
};

/// One column of the table: a score as measured on one thing.
struct HeadsColumn
{
    const HeadScoreTable* table = nullptr; ///< null: not measured yet
    HeadScore score = HeadScore::InductionStripe;
    QString title;
    QString toolTip;
    bool isDifference = false;

    double at(HeadId head) const { return table ? table->at(head, score) : NAN; }
};

/// On the text and on random repeats side by side; one for what needs neither. What exists on
/// random repeats alone has the same thing as a text shows it beside it.
std::vector<HeadsColumn> headsColumns(const HeadsMeasured& measured, HeadScore score);

/// The one that map and order are by.
int sortedColumn(const HeadsMeasured& measured, const HeadsChoice& choice);
HeadsColumn sortedBy(const HeadsMeasured& measured, const HeadsChoice& choice);

/// All heads by the chosen score, and those of them that the filters leave.
std::vector<HeadId> rankedHeads(const HeadsMeasured& measured, const HeadsChoice& choice);
std::vector<HeadId> shownHeads(const HeadsMeasured& measured, const HeadsChoice& choice);

/// "induction, copying (OV)"; empty without labels.
QString labelWords(const HeadLabelTable* labels, HeadId head);

/// One square a head, coloured by the score; masked where it has none or is filtered out.
HeadGridContent scoreGrid(const Looking& looking, const HeadsColumn& column,
                          const std::vector<HeadId>& shown);
ColourBarContent scoreLegend(const Looking& looking, const HeadsColumn& column);

/// Heads by likeness: near points behave alike.
PointMapContent likenessMap(const Looking& looking, const HeadLikeness& likeness,
                            const HeadsColumn& column, const std::vector<HeadId>& shown);

std::vector<ScoreColumn> scoreColumns(const std::vector<HeadsColumn>& columns);
std::vector<ScoreRow> scoreRows(const std::vector<HeadsColumn>& columns,
                                const std::vector<HeadId>& shown, const HeadLabelTable* labels,
                                int keyValueHeads);

/// Share of the attention by how far back it goes: 0, 1, 2-3, 4-7 ...; later keys as "ahead".
std::vector<Bar> distanceBars(const HeatmapMatrix& pattern);

/// No head has this score; why, in one sentence. Empty when one has, and while it is measured.
QString whyUndefined(const HeadsColumn& column);

} // namespace headscope::ui
