#pragma once

#include "ui/pages/positions/positions_layout.h"
#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QWidget>

namespace headscope::ui {

/// Waves, matrix and similarity; dragging sets p.
class PositionsPlot : public QWidget
{
    Q_OBJECT

public:
    explicit PositionsPlot(QWidget* parent = nullptr);

    void setContent(PositionsContent content);
    PositionsLayout layoutNow() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    /// Cell of the matrix: row the dimension, column the position.
    std::optional<HeatmapCell> entryAt(QPointF point) const;

signals:
    void positionDragged(int position);
    void painted(double elapsedMs);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void drag(QPointF position);
    QString valueAt(QPointF position) const;

    PositionsContent m_content;
};

} // namespace headscope::ui
