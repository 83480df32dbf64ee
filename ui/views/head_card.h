#pragma once

#include "ui/widgets/bars.h"
#include "ui/widgets/heatmap.h"

#include <QWidget>

class QPushButton;

namespace headscope::ui {

class HeatmapWidget;
class TextLabel;

/// What the card of one head says, as values.
struct HeadCardContent
{
    QString title;  ///< "Head 18.6"
    QString group;  ///< "KV group 2"; may be empty
    QString figure; ///< "0.912"
    QString rank;   ///< "induction, rank 1 of 270"
    QString mapTitle;
    QString mapNote; ///< "32 random tokens, twice"
    HeatmapContent map;
    std::vector<Bar> distances;
    QString distanceNote; ///< what the bars are
    bool isOff = false;
};

/// One head in brief: its score and rank, its map in small, and how far back it looks.
class HeadCard : public QWidget
{
    Q_OBJECT

public:
    explicit HeadCard(QWidget* parent = nullptr);

    void setContent(HeadCardContent content);

    const HeadCardContent& content() const { return m_content; }

signals:
    void openWanted();
    void offWanted(bool off);

private:
    HeadCardContent m_content;
    TextLabel* m_title;
    TextLabel* m_group;
    TextLabel* m_rank;
    TextLabel* m_figure;
    TextLabel* m_mapTitle;
    TextLabel* m_mapNote;
    HeatmapWidget* m_map;
    BarsWidget* m_distances;
    TextLabel* m_distanceNote;
    QPushButton* m_open;
    QPushButton* m_off;
};

} // namespace headscope::ui
