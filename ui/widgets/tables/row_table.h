#pragma once

#include "ui/widgets/style/theme.h"

#include <QTableView>

namespace headscope::ui {

/// A table whose rows are chosen whole. Titles and Left/Right choose the column to sort by; it does
/// not sort: who fills it does.
class RowTable : public QTableView
{
    Q_OBJECT

public:
    void setSorted(int column, bool rising); ///< -1: not sorted, and titles cannot be chosen

    int sortedColumn() const { return m_sorted; }

    bool isRising() const { return m_rising; }

signals:
    void columnChosen(int column); ///< sort by it; the sorted one again: the other way

protected:
    static constexpr int kPadding = 8; ///< beside what stands in a cell

    /// `firstColumn`: the section of column 0. Takes `cells`.
    RowTable(QAbstractTableModel* cells, int firstColumn, const QString& accessibleName,
             QWidget* parent);

    /// What stands in a cell; its ground, line and focus are drawn.
    virtual void paintCell(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                           const Theme& theme) const = 0;
    virtual bool isNumber(int section) const = 0; ///< its title stands at the right
    virtual void share(int width) = 0;            ///< among the sections

    bool chooseColumnBeside(int key); ///< false: not Left or Right, or not sorted
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Delegate;
    class Header;
    void restyle();

    int m_firstColumn;
    int m_sorted = -1;
    bool m_rising = false;
};

} // namespace headscope::ui
