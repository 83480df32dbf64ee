#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/heatmap/heatmap.h"

#include <functional>

namespace headscope::ui {

/// Grid of tokens down and layers across, each cell with a short text and a shade.
struct LensContent
{
    /// Texts of the rows; empty: a gap where only the other text has a token.
    QStringList rowLabels;
    QStringList columnLabels;
    std::vector<int> rowTurns;    ///< Turns of a chat, see Token::turn; or empty.
    std::vector<bool> foldedRows; ///< Rows left out of the grid; or empty.
    /// Values of the cells, [rows * columns]; NaN: not defined, no shade.
    std::vector<float> values;
    /// Cells with a dot (different from the other variant), [rows * columns].
    std::vector<bool> marked;
    /// Cells reached by a patch, outlined together, [rows * columns]; or empty.
    std::vector<bool> cone;
    std::optional<HeatmapCell> current;
    std::optional<HeatmapCell> picked; ///< Cell being dragged, or the target of a patch.
    MapName map = MapName::Depth;
    std::optional<ColourScale> scale; ///< Colour scale of the values; otherwise `map` from 0 to 1.
    /// Text of a cell. Asked for cells that are painted or read: a long text has tens of thousands.
    std::function<QString(HeatmapCell)> textOf;
    std::function<QString(HeatmapCell)>
        wordsOf; ///< Description that replaces a prediction; or empty.

    ColourScale shades() const { return scale.value_or(ColourScale{map, 0.0F, 1.0F, 1.0}); }

    int rows() const { return static_cast<int>(rowLabels.size()); }

    int columns() const { return static_cast<int>(columnLabels.size()); }

    std::size_t index(HeatmapCell cell) const
    {
        return static_cast<std::size_t>(cell.row) * columnLabels.size() +
               static_cast<std::size_t>(cell.column);
    }

    bool isFolded(int row) const
    {
        return static_cast<std::size_t>(row) < foldedRows.size() &&
               foldedRows[static_cast<std::size_t>(row)];
    }

    int shownRows() const; ///< Number of rows that are not folded.

    bool holds(HeatmapCell cell) const; ///< True inside the grid and outside gaps and folded rows.
};

class LensLayout
{
public:
    LensLayout(QRectF area, const LensContent& content, const Theme& theme);

    QRectF cellRect(HeatmapCell cell) const;
    std::optional<HeatmapCell> cellAt(QPointF position) const;

    double labelWidth() const { return m_label; }

    QPointF origin() const { return m_origin; }

private:
    QPointF m_origin;
    QRectF m_cells;
    double m_label = 0.0;
    QSizeF m_cell;
    std::vector<int> m_shown;  ///< Rows in their order.
    std::vector<int> m_places; ///< Of every row; a folded one has that of the next.
    int m_columns = 0;
};

/// Text such as "token it, layer 3: predicts cat, probability 0.120, differs".
QString describeLensCell(const LensContent& content, HeatmapCell cell);

QSizeF lensSize(const LensContent& content, const Theme& theme);

/// Paints the rows that `exposed` touches, all of them where it is null.
void paintLens(QPainter& painter, const LensLayout& layout, const LensContent& content,
               const Theme& theme, QRectF exposed = {});

/// Grid with one tab stop; arrows move, Enter and clicks report. Cells can be dragged out.
class LensGrid : public DrawnWidget
{
    Q_OBJECT

public:
    LensGrid();

    void setContent(LensContent content);

    const LensContent& content() const { return m_content; }

    QRectF cellRect(headscope::ui::HeatmapCell cell) const;
    std::optional<headscope::ui::HeatmapCell> cellAt(QPointF position) const;
    void setCurrent(headscope::ui::HeatmapCell cell);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void cellActivated(headscope::ui::HeatmapCell cell);
    void cellOpened(headscope::ui::HeatmapCell cell); ///< Emitted on Enter.
    /// Emitted when the pointer leaves the cell that it pressed.
    void dragged(headscope::ui::HeatmapCell from);
    void dropped(QPoint globalPosition);

protected:
    int itemCount() const override { return m_content.rows() * m_content.columns(); }

    int columnCount() const override { return m_content.columns(); }

    QRectF itemRect(int item) const override { return cellRect(cellOf(item)); }

    QString itemText(int item) const override;
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

    /// Item of a cell; none for a gap.
    std::optional<int> itemOf(std::optional<HeatmapCell> cell) const;
    void paintScrolledNames(QPainter& painter, const Theme& theme) const;
    double firstWholeRow() const; ///< Top of the first row below the scrolled names.
    LensLayout cells() const;

    LensContent m_content;
    std::optional<HeatmapCell> m_pressed;
    bool m_dragging = false;
};

} // namespace headscope::ui
