#pragma once

#include "ui/widgets/tables/score_table.h"

#include <QWidget>

namespace headscope::ui {

class TextLabel;

/// Titled table of rows that are sorted by any of their numbers, at first by the first, largest
/// first. Rows are known by their index in what setRows() was given, whatever the order.
class RankedTable : public QWidget
{
    Q_OBJECT

public:
    /// `name` of the first column; `title` above the table. Bars of a column with bars are full at
    /// its largest number.
    RankedTable(const QString& title, const QString& name, std::vector<ScoreColumn> columns,
                QWidget* parent = nullptr);

    void setRows(std::vector<ScoreRow> rows);
    void setCurrent(int row); ///< Without a signal; -1: none.

    /// Line above the table: what is measured, or why there is nothing.
    void setNote(const QString& note, const QString& toolTip = {});

    ScoreTable& table() const { return *m_table; }

    /// Rows by their number on the screen.
    const std::vector<int>& order() const { return m_order; }

signals:
    void rowActivated(int row); ///< Emitted when the user moves to another row.
    void rowOpened(int row);    ///< Emitted on Enter and on a double click.

private:
    void sortBy(int column);
    void fill();
    void scaleBars();

    TextLabel* m_note;
    ScoreTable* m_table;
    std::vector<ScoreColumn> m_columns;
    std::vector<ScoreRow> m_rows;
    std::vector<int> m_order;
    int m_current = -1;
};

} // namespace headscope::ui
