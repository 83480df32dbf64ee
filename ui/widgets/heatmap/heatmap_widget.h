#pragma once

#include "ui/widgets/heatmap/heatmap_grip.h"
#include "ui/widgets/heatmap/heatmap_layout.h"
#include "ui/widgets/heatmap/heatmap_tiles.h"

#include <QWidget>

#include <optional>

namespace headscope::ui {

/// Draws a matrix as coloured cells and reports the one under the pointer or keyboard cursor.
/// Independent of models: a view sets the content and turns cells into a selection.
class HeatmapWidget : public QWidget
{
    Q_OBJECT

public:
    explicit HeatmapWidget(QWidget* parent = nullptr);

    void setContent(HeatmapContent content);
    void setOptions(HeatmapOptions options);
    void setCurrentCell(std::optional<headscope::ui::HeatmapCell> cell);

    /// Enables zooming with Ctrl+wheel and Ctrl+plus, minus, 0, and panning by drag, wheel and
    /// cursor. Off by default.
    void setZoomable(bool zoomable);
    void zoomBy(double factor, QPointF position); ///< Zooms around `position`.
    bool resetZoom(); ///< Shows the whole map; false if it is shown already.

    double zoomFactor() const { return layoutNow().zoomFactor(); }

    /// Bytes of the images that are held for painting.
    std::size_t imageByteCount() const;

    const HeatmapContent& content() const { return m_content; }

    const HeatmapOptions& options() const { return m_options; }

    const HeatmapLayout& layoutNow() const; ///< Layout at the current size.
    QRectF cellRect(headscope::ui::HeatmapCell cell) const;
    std::optional<headscope::ui::HeatmapCell> cellAt(QPointF position) const;
    QRect focusFrame() const; ///< Around what is drawn, which may be less than the widget.

    /// Row whose attention sink has the cursor: reached from the last key with the right arrow, or
    /// by a click. Never a cell of the matrix.
    std::optional<int> sinkRow() const { return m_content.sinkRow; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void cellHovered(std::optional<headscope::ui::HeatmapCell> cell);
    /// Emitted when the pointer or the cursor enters the sink of a row, and when it leaves it.
    void sinkPointed(std::optional<int> row);
    /// Emitted on a click or an arrow key, to make the cell current.
    void cellActivated(headscope::ui::HeatmapCell cell);
    /// Emitted on a click on the current cell.
    void currentClicked(headscope::ui::HeatmapCell cell);
    void cellOpened(headscope::ui::HeatmapCell cell); ///< Emitted on Enter or a double click.
    void painted(double elapsedMs);                   ///< Emitted after each paint.
    void zoomChanged(double factor);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void invalidate(bool imageToo);
    void click(HeatmapCell cell);
    void hover(QPointF position);
    bool moveAlongSink(int key);
    void setSinkRow(std::optional<int> row);
    void moveTo(HeatmapCell cell);
    std::optional<HeatmapCell> cellAfter(int key) const;
    bool zoomByKey(const QKeyEvent& event);
    void setZoom(const HeatmapZoom& zoom);
    void panBy(QPointF by);
    void keepInSight(HeatmapCell cell);
    void paintMap(QPainter& painter, const HeatmapLayout& layout, const Theme& theme);

    HeatmapContent m_content;
    HeatmapOptions m_options;
    std::optional<HeatmapCell> m_hovered;
    std::optional<int> m_hoveredSink;
    mutable std::optional<HeatmapLayout> m_layout;
    bool m_zoomable = false;
    HeatmapGrip m_grip;
    QImage m_image;       ///< Null: rebuilt before the next paint, or unused.
    HeatmapTiles m_tiles; ///< In place of m_image where the whole would be too large.
};

} // namespace headscope::ui
