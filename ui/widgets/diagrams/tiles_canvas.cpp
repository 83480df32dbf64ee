#include "ui/widgets/diagrams/tiles_canvas.h"

#include "ui/widgets/diagrams/tiles.h"

#include <QKeyEvent>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace headscope::ui {

void TilesCanvas::setContent(const LabTiles& tiles)
{
    m_tiles = tiles;
    m_done = std::min(m_done, static_cast<int>(tiles.tiles.size()));
    setDone(m_done);
}

void TilesCanvas::setDone(int done)
{
    m_done = std::clamp(done, 0, static_cast<int>(m_tiles.tiles.size()));
    if (m_done > 0)
        contentChanged(describeTile(m_tiles, m_done - 1), m_done - 1);
    else
        contentChanged(tr("nothing computed yet"), std::nullopt);
}

std::vector<DiagramItem> TilesCanvas::makePlaces(const QRectF& area, const Theme& theme) const
{
    const TilesLayout layout(area, m_tiles, theme);
    std::vector<DiagramItem> places;
    for (int index = 0; index < static_cast<int>(m_tiles.tiles.size()); ++index) {
        const LabTiles::Tile& tile = m_tiles.tiles[static_cast<std::size_t>(index)];
        places.push_back({layout.cell(tile.row, tile.column), describeTile(m_tiles, index)});
    }
    return places;
}

void TilesCanvas::paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const
{
    paintTiles(painter, area, m_tiles, m_done, theme);
}

void TilesCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier))
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        return emit doneWanted(m_done - 1);
    case Qt::Key_Right:
    case Qt::Key_Down:
        return emit doneWanted(m_done + 1);
    case Qt::Key_Home:
        return emit doneWanted(0);
    case Qt::Key_End:
        return emit doneWanted(static_cast<int>(m_tiles.tiles.size()));
    case Qt::Key_Space:
        return emit playWanted();
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace headscope::ui
