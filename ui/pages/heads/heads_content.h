#pragma once

#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/points/point_map.h"
#include "ui/widgets/tables/score_table.h"

namespace headscope::ui {

/// View of the page of all heads: one part, by one score.
struct HeadsChoice
{
    HeadScore score = HeadScore::InductionStripe;
    bool rising = false;
    bool onProbe = false; ///< Use the score on random repeats rather than on the text.
    bool similar = false; ///< Map of heads by similarity rather than by layer.
    int top = 0;          ///< Number of heads shown; 0: all.
    std::optional<HeadLabelKind> label; ///< Show only heads with this label.
};

HeadsChoice headsChoice(const QJsonObject& options);
QJsonObject toJson(const HeadsChoice& choice);

/// Measurements of one part's heads; null until available.
struct HeadsMeasured
{
    const HeadScoreTable* text = nullptr;
    const HeadScoreTable* repeats = nullptr;
    const HeadScoreTable* survey = nullptr; ///< Scores over the samples and from the weights.
    const HeadLabelTable* labels = nullptr;
    bool isDifference = false; ///< Whether `text` is B−A.
};

/// One column of the table: a score with the data it was measured on.
struct HeadsColumn
{
    const HeadScoreTable* table = nullptr; ///< Null until measured.
    HeadScore score = HeadScore::InductionStripe;
    QString title;
    QString toolTip;
    bool isDifference = false;

    double at(HeadId head) const { return table ? table->at(head, score) : NAN; }
};

/// Columns of the table: each score on the text and on random repeats side by side; one column for
/// scores that need neither. Scores defined on random repeats alone have their text-based
/// counterpart next to them.
std::vector<HeadsColumn> headsColumns(const HeadsMeasured& measured, HeadScore score);

/// Column that map and order use.
int sortedColumn(const HeadsMeasured& measured, const HeadsChoice& choice);
HeadsColumn sortedBy(const HeadsMeasured& measured, const HeadsChoice& choice);

/// All heads ordered by the selected score, and those that pass the filters.
std::vector<HeadId> rankedHeads(const HeadsMeasured& measured, const HeadsChoice& choice);
std::vector<HeadId> shownHeads(const HeadsMeasured& measured, const HeadsChoice& choice);

/// Labels of a head: "induction, copying (OV)"; empty without labels.
QString labelText(const HeadLabelTable* labels, HeadId head);

/// Map with one square per head, coloured by the score; masked where it has none or is filtered
/// out.
HeadGridContent scoreGrid(const ViewSnapshot& view, const HeadsColumn& column,
                          const std::vector<HeadId>& shown);
ColourBarContent scoreLegend(const ViewSnapshot& view, const HeadsColumn& column);

/// Map of heads by similarity: nearby points behave alike.
PointMapContent likenessMap(const ViewSnapshot& view, const HeadLikeness& likeness,
                            const HeadsColumn& column, const std::vector<HeadId>& shown);

std::vector<ScoreColumn> scoreColumns(const std::vector<HeadsColumn>& columns);
std::vector<ScoreRow> scoreRows(const std::vector<HeadsColumn>& columns,
                                const std::vector<HeadId>& shown, const HeadLabelTable* labels,
                                int keyValueHeads);

/// Fraction of attention by distance: 0, 1, 2-3, 4-7 ...; later keys as "ahead".
std::vector<Bar> distanceBars(const HeatmapMatrix& pattern);

/// Why no head has this score, one sentence. Empty when one has, and until it is measured.
QString whyUndefined(const HeadsColumn& column);

} // namespace headscope::ui
