#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/heatmap/heatmap.h"

namespace headscope::ui {

/// Tokens down, layers across: a short text in each cell, shaded by a number.
struct LensContent
{
    QStringList rowLabels; ///< an empty label: a gap where only the other text has a token
    QStringList columnLabels;
    QStringList texts;         ///< [rows * columns]
    std::vector<float> values; ///< the same; NaN: not defined, no shade
    std::vector<bool> marked;  ///< the same: a dot in the corner (differs from the other run)
    std::vector<bool> cone;    ///< the same, or empty: reached by a patch; outlined together
    std::optional<HeatmapCell> current;
    std::optional<HeatmapCell> picked; ///< being carried, or where a patch has landed
    MapName map = MapName::Depth;
    std::optional<ColourScale> scale; ///< of the values; else `map` from 0 to 1
    QStringList words; ///< [rows * columns], or empty: what a cell says instead of its prediction

    ColourScale shades() const { return scale.value_or(ColourScale{map, 0.0F, 1.0F, 1.0}); }

    int rows() const { return static_cast<int>(rowLabels.size()); }

    int columns() const { return static_cast<int>(columnLabels.size()); }

    std::size_t index(HeatmapCell cell) const
    {
        return static_cast<std::size_t>(cell.row) * columnLabels.size() +
               static_cast<std::size_t>(cell.column);
    }

    bool holds(HeatmapCell cell) const; ///< inside, and no gap
};

class LensLayout
{
public:
    LensLayout(QRectF area, const LensContent& content, const Theme& theme);

    QRectF cellRect(HeatmapCell cell) const;
    std::optional<HeatmapCell> cellAt(QPointF position) const;

    double labelWidth() const { return m_label; }

private:
    QRectF m_cells;
    double m_label = 0.0;
    QSizeF m_cell;
    int m_rows = 0;
    int m_columns = 0;
};

/// "token it, layer 3: predicts cat, probability 0.120, differs".
QString describeLensCell(const LensContent& content, HeatmapCell cell);

QSizeF lensSize(const LensContent& content, const Theme& theme);
void paintLens(QPainter& painter, QRectF area, const LensContent& content, const Theme& theme);

/// One tab stop; arrows move, Enter and clicks report. A cell can be dragged out.
class LensGrid : public DrawnWidget
{
    Q_OBJECT

public:
    explicit LensGrid(QWidget* parent = nullptr);

    void setContent(LensContent content);

    const LensContent& content() const { return m_content; }

    QRectF cellRect(headscope::ui::HeatmapCell cell) const;
    std::optional<headscope::ui::HeatmapCell> cellAt(QPointF position) const;
    void setCurrent(headscope::ui::HeatmapCell cell);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void cellActivated(headscope::ui::HeatmapCell cell);
    void cellOpened(headscope::ui::HeatmapCell cell); ///< Enter
    void dragged(headscope::ui::HeatmapCell from);    ///< the pointer left the cell it pressed
    void dropped(QPoint globalPosition);

protected:
    int itemCount() const override { return m_content.rows() * m_content.columns(); }

    int columnCount() const override { return m_content.columns(); }

    QRectF itemRect(int item) const override { return cellRect(cellOf(item)); }

    QString itemWords(int item) const override;
    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;
    ReadableTable readable() const override;
    void goToItem(int item) override;
    bool openItem(int item) override;

    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

    void mouseDoubleClickEvent(QMouseEvent* event) override { mousePressEvent(event); }

    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void moveEvent(QMoveEvent* event) override;

private:
    HeatmapCell cellOf(int item) const
    {
        return {item / m_content.columns(), item % m_content.columns()};
    }

    std::optional<int> itemOf(std::optional<HeatmapCell> cell) const; ///< none for a gap
    void paintScrolledNames(QPainter& painter, const Theme& theme) const;

    LensContent m_content;
    std::optional<HeatmapCell> m_pressed;
    bool m_dragging = false;
};

} // namespace headscope::ui
