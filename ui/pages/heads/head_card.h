#pragma once

#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/heatmap/heatmap.h"

#include <QWidget>

class QLayout;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace headscope::ui {

class HeatmapWidget;
class SegmentBar;
class SpectrumWidget;
class TextLabel;

/// What the card of one head says, as values. A note stands where there is nothing to list, or says
/// what was measured.
struct HeadCardContent
{
    QString title;  ///< "Head 18.6"
    QString group;  ///< "KV group 2"; may be empty
    QString figure; ///< "0.912"
    QString rank;   ///< "induction, rank 1 of 270"

    std::vector<Bar> labels; ///< what it does, by strength
    int label = -1;          ///< whose evidence the map shows; -1: the shown text
    QString labelNote;
    QString mapTitle;
    QString mapNote; ///< "32 random tokens, twice"
    HeatmapContent map;
    std::vector<Bar> distances;
    QString distanceNote; ///< what the bars are

    std::vector<Bar> scores; ///< all that are defined, with their ranks
    QString scoresNote;

    std::vector<Bar> queries; ///< tokens from which it looks most
    std::vector<Bar> keys;    ///< tokens that it looks at most
    std::vector<Bar> alike;   ///< heads that behave alike
    QString tokensNote;
    QString alikeNote;

    QString copying;
    std::vector<double> queryKey; ///< singular values, largest first
    std::vector<double> outputValue;
    std::vector<Bar> readings; ///< composition with earlier heads
    QString weightsNote;

    bool isOff = false;
    QString
        openText; ///< of the button: opens the head, on the evidence's own text where it has one
};

/// One head in brief, on four sheets: what it does, its scores, its tokens, its weights.
class HeadCard : public QWidget
{
    Q_OBJECT

public:
    explicit HeadCard(QWidget* parent = nullptr);

    void setContent(HeadCardContent content);
    void setSheet(int sheet);

    const HeadCardContent& content() const { return m_content; }

    int sheet() const;

signals:
    void openWanted();
    void offWanted(bool off);
    void labelChosen(int label); ///< of the content's; the chosen one again: none
    void alikeChosen(int row);   ///< of the content's
    void readingChosen(int row);
    void sheetChanged(int sheet); ///< by the person

private:
    QLayout* makeHead();
    QWidget* makeDoes();
    QWidget* makeScores();
    QWidget* makeTokens();
    QWidget* makeWeights();
    QLayout* makeButtons();
    BarsWidget* addBars(QVBoxLayout& column, const QString& title);
    TextLabel* addNote(QVBoxLayout& column);

    HeadCardContent m_content;
    TextLabel* m_title;
    TextLabel* m_group;
    TextLabel* m_rank;
    TextLabel* m_figure;
    SegmentBar* m_sheet;
    QStackedWidget* m_sheets;
    BarsWidget* m_labels = nullptr;
    TextLabel* m_labelNote = nullptr;
    TextLabel* m_mapTitle = nullptr;
    TextLabel* m_mapNote = nullptr;
    HeatmapWidget* m_map = nullptr;
    BarsWidget* m_distances = nullptr;
    TextLabel* m_distanceNote = nullptr;
    BarsWidget* m_scores = nullptr;
    TextLabel* m_scoresNote = nullptr;
    BarsWidget* m_queries = nullptr;
    BarsWidget* m_keys = nullptr;
    TextLabel* m_tokensNote = nullptr;
    BarsWidget* m_alike = nullptr;
    TextLabel* m_alikeNote = nullptr;
    TextLabel* m_copying = nullptr;
    SpectrumWidget* m_queryKey = nullptr;
    SpectrumWidget* m_outputValue = nullptr;
    BarsWidget* m_readings = nullptr;
    TextLabel* m_weightsNote = nullptr;
    QPushButton* m_open;
    QPushButton* m_off;
};

} // namespace headscope::ui
