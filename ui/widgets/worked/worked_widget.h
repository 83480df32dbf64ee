#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/worked/worked_paint.h"

#include <QElapsedTimer>
#include <QTimer>

namespace headscope::ui {

/// Matrices of a worked example with the equation below. Up, Down or Enter enters the cells, arrows
/// move, Enter or a digit opens an input, Esc leaves the cells.
class WorkedWidget : public DrawnWidget
{
    Q_OBJECT

public:
    explicit WorkedWidget(QWidget* parent = nullptr);

    void setDiagram(WorkedDiagram diagram);

    const WorkedDiagram& diagram() const { return m_diagram; }

    const WorkedLayout& layoutNow() const;

    /// Area of the layout in a widget of that size.
    static QRectF layoutArea(QSizeF size);

    void setReducedMotion(bool reduced) { m_reduced = reduced; }

    /// Moves the keyboard cursor to a cell; none: out of the cells.
    void placeCursor(std::optional<CellAddress> cell);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Emitted on Enter, a double click, or a key that starts a number (`typed`; else empty).
    void cellOpened(const headscope::CellAddress& cell, const QString& typed);

protected:
    int itemCount() const override { return static_cast<int>(cells().size()); }

    QRectF itemRect(int item) const override { return layoutNow().cellRect(cellOf(item)); }

    QString itemText(int item) const override { return describeCell(m_diagram, cellOf(item)); }

    QString description() const override;
    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;
    ReadableTable readable() const override;

    void goToItem(int item) override { placeCursor(cellOf(item)); }

    void clickItem(int item) override;
    bool openItem(int item) override;
    bool pressKey(const QKeyEvent& event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    const std::vector<CellAddress>& cells() const; ///< Cells, those of the large matrices first.

    CellAddress cellOf(int item) const { return cells()[static_cast<std::size_t>(item)]; }

    std::optional<int> itemOf(std::optional<CellAddress> cell) const;
    bool isOpenable(CellAddress cell) const;
    std::optional<int> firstItem() const; ///< Item that the keyboard enters first.
    void startMotion(const std::vector<WorkedRing>& from);

    WorkedDiagram m_diagram;
    mutable WorkedLayout m_layout;
    mutable std::vector<CellAddress> m_cells;
    mutable int m_largeCells = 0;
    mutable bool m_isOld = true;
    bool m_reduced = false;
    std::vector<WorkedRing> m_from;
    QElapsedTimer m_since;
    QTimer m_motion;
};

} // namespace headscope::ui
