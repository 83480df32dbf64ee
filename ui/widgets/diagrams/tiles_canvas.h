#pragma once

#include "core/lessons/labs/lab_plot.h"
#include "ui/widgets/diagrams/diagram_widget.h"

#include <vector>

namespace headscope::ui {

/// Blocks without the controls: Left and Right step, Home and End go to the first and last, Space
/// plays.
class TilesCanvas : public DiagramWidget
{
    Q_OBJECT

public:
    using DiagramWidget::DiagramWidget;

    void setContent(const LabTiles& tiles);
    void setDone(int done);

    int done() const { return m_done; }

    const LabTiles& content() const { return m_tiles; }

signals:
    void doneWanted(int done);
    void playWanted();

protected:
    std::vector<DiagramItem> makePlaces(const QRectF& area, const Theme& theme) const override;
    void paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const override;

    void clickItem(int tile) override { emit doneWanted(tile + 1); }

    void keyPressEvent(QKeyEvent* event) override;

private:
    LabTiles m_tiles;
    int m_done = 0;
};

} // namespace headscope::ui
