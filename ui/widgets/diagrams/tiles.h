#pragma once

#include "core/lessons/labs/lab_plot.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>
#include <QSizeF>
#include <QString>

class QPainter;

namespace headscope::ui {

/// Layout of a matrix's blocks, with the details of the current one beside them.
class TilesLayout
{
public:
    TilesLayout(QRectF area, const LabTiles& tiles, const Theme& theme);

    QRectF cell(int row, int column) const;

    QRectF grid() const { return m_grid; }

    QRectF text() const { return m_words; }

    QRectF legend() const { return m_legend; }

private:
    QRectF m_grid, m_words, m_legend;
    double m_edge = 0.0;
};

QSizeF tilesSize(const LabTiles& tiles, const Theme& theme);

/// Paints the blocks, of which the first `done` are computed and the last of these is the current
/// one.
void paintTiles(QPainter& painter, const QRectF& area, const LabTiles& tiles, int done,
                const Theme& theme);

/// Text such as "step 3 of 16, block of queries 0, block of keys 2: merges; running maximum 1.41".
QString describeTile(const LabTiles& tiles, int index);

} // namespace headscope::ui
