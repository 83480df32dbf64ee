#pragma once

#include "ui/widgets/style/theme.h"

#include <QTableView>

namespace headscope::ui {

/// Table with whole-row selection. Titles and Left/Right select the sort column; the owner of the
/// rows sorts them.
class RowTable : public QTableView
{
    Q_OBJECT

public:
    /// Sets the sort column; -1: not sorted, and titles are not clickable.
    void setSorted(int column, bool rising);

    int sortedColumn() const { return m_sorted; }

    bool isRising() const { return m_rising; }

    int wholeHeight() const; ///< Height that shows every row without scrolling.

    /// Lets rows shrink to this height, in logical pixels at scale 1, before the table scrolls.
    void setLeastRowHeight(int height);

signals:
    /// Emitted with the column to sort by; the sort column again: reverse the order.
    void columnChosen(int column);

protected:
    static constexpr int kPadding = 8; ///< Horizontal padding of a cell.

    /// Takes ownership of `cells`; `firstColumn` is the section of column 0.
    RowTable(QAbstractTableModel* cells, int firstColumn, const QString& accessibleName,
             QWidget* parent);

    /// Paints the contents of a cell; background, line and focus are already painted.
    virtual void paintCell(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                           const Theme& theme) const = 0;
    virtual bool isNumber(int section) const = 0; ///< True for sections with right-aligned titles.
    virtual void distribute(int width) = 0;       ///< Distributes the width among the sections.

    /// Selects the neighbouring sort column; false: not Left or Right, or not sorted.
    bool chooseColumnBeside(int key);
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Delegate;
    class Header;
    void restyle();
    void fitRowHeight();

    int m_firstColumn;
    int m_sorted = -1;
    bool m_rising = false;
    int m_leastRowHeight;
};

} // namespace headscope::ui
