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

/// Content of the card of one head. A note stands in where there is nothing to list, or describes
/// what was measured.
struct HeadCardContent
{
    QString title;  ///< Title such as "Head 18.6".
    QString group;  ///< Group such as "KV group 2"; may be empty.
    QString figure; ///< Value such as "0.912".
    QString rank;   ///< Rank text such as "induction, rank 1 of 270".

    std::vector<Bar> labels; ///< Roles of the head, by strength.
    QString labelNote;
    QString mapTitle;
    QString mapNote; ///< Note of the map, such as "32 random tokens, repeated".
    HeatmapContent map;
    std::vector<Bar> distances;
    QString distanceNote; ///< Meaning of the distance bars.

    std::vector<Bar> scores; ///< All scores that are defined, with their ranks.
    QString scoresNote;

    std::vector<Bar> queries; ///< Tokens with the most attention as queries.
    std::vector<Bar> keys;    ///< Tokens with the most attention as keys.
    std::vector<Bar> alike;   ///< Heads with similar behaviour.
    QString tokensNote;
    QString alikeNote;

    QString copying;
    std::vector<double> queryKey; ///< Singular values of QK, largest first.
    std::vector<double> outputValue;
    std::vector<Bar> readings; ///< Composition with earlier heads.
    QString weightsNote;

    bool isOff = false;
    /// Text of the button that opens the head, on the evidence's own text if it has one.
    QString openText;
};

/// Summary of one head on four tabs: its role, scores, tokens and weights.
class HeadCard : public QWidget
{
    Q_OBJECT

public:
    explicit HeadCard(QWidget* parent = nullptr);

    void setContent(const HeadCardContent& content);
    void setTab(int tab);

    int tab() const;

signals:
    void openWanted();
    void offWanted(bool off);
    /// Emitted for a label of the content; selecting it again emits -1.
    void labelChosen(int label);
    void alikeChosen(int row); ///< Emitted for a row of the content.
    void readingChosen(int row);
    void tabChanged(int tab); ///< Emitted when the user changes the tab.

private:
    QLayout* makeHead();
    QWidget* makeDoes();
    QWidget* makeScores();
    QWidget* makeTokens();
    QWidget* makeWeights();
    QLayout* makeButtons();
    BarsWidget* addBars(QVBoxLayout& column, const QString& name, const QString& title = {});
    TextLabel* addNote(QVBoxLayout& column, const QString& name);

    bool m_isOff = false;
    TextLabel* m_title;
    TextLabel* m_group;
    TextLabel* m_rank;
    TextLabel* m_figure;
    SegmentBar* m_tab;
    QStackedWidget* m_tabs;
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
