#pragma once

#include "ui/widgets/tables/row_table.h"

#include <QString>

#include <vector>

namespace headscope::ui {

struct ScoreColumn
{
    QString title;
    QString toolTip;
    int decimals = 3;
    double full = 0.0; ///< Value of a full bar; 0: a number without a bar.

    friend bool operator==(const ScoreColumn&, const ScoreColumn&) = default;
};

struct ScoreRow
{
    QString name;
    QString note;               ///< Small text after the name: "KV 2".
    QString words;              ///< Text after both: the head's behaviour.
    std::vector<double> values; ///< Scores; NaN: not defined, shown as a dash.
};

/// Table of named rows of numbers, some with bars. Rows are selected by click or Up and Down; Enter
/// or a double click opens one.
class ScoreTable : public RowTable
{
    Q_OBJECT

public:
    explicit ScoreTable(QWidget* parent = nullptr);

    void setColumns(std::vector<ScoreColumn> columns);
    /// Sets the title of the first column, "Head" by default.
    void setNameTitle(const QString& title);
    /// Sets whether names and words get all the width that the numbers leave.
    void setNamesWide(bool areWide);
    /// Sets whether rows are heads, as by default; a screen reader then says so.
    void setRowsAreHeads(bool areHeads);
    /// Sets the rows and keeps the current row's number.
    void setRows(std::vector<ScoreRow> rows);
    void setSorted(int column, bool rising); ///< Sorts by a score, 0 first.
    void setCurrentRow(int row); ///< Sets the current row without emitting a signal; -1: none.

    const std::vector<ScoreColumn>& columns() const;
    const std::vector<ScoreRow>& rows() const;

    int currentRow() const { return currentIndex().row(); }

    QSize sizeHint() const override { return {560, 480}; }

signals:
    void rowActivated(int row);
    void rowOpened(int row);

protected:
    void paintCell(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                   const Theme& theme) const override;

    bool isNumber(int section) const override { return section > 0; }

    void distribute(int width) override;
    void updateGeometries() override;
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    class Cells;
    void measureNames();
    double nameEnd(const Theme& theme) const;
    bool anyRow(QString ScoreRow::*text) const; ///< True if any row has this text.
    void paintName(QPainter& painter, const QRectF& rect, const ScoreRow& row,
                   const Theme& theme) const;
    void paintScore(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                    const Theme& theme) const;

    Cells* m_cells;
    bool m_areNamesWide = false;
    int m_nameWidth = 0;   ///< Width of names longer than usual; 0: none.
    QString m_currentName; ///< Name of the row that was last made current.
    bool m_setting = false;
    bool m_sharing = false;
};

} // namespace headscope::ui
