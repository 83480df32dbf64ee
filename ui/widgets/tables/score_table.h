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
    double full = 0.0; ///< value of a full bar; 0: a number without a bar

    friend bool operator==(const ScoreColumn&, const ScoreColumn&) = default;
};

struct ScoreRow
{
    QString name;
    QString note;               ///< small after the name: "KV 2"
    QString words;              ///< after both: what the head does
    std::vector<double> values; ///< NaN: not defined, a dash
};

/// Named rows of numbers, some with bars. Rows are chosen by click or Up and Down; Enter or a double
/// click opens one.
class ScoreTable : public RowTable
{
    Q_OBJECT

public:
    explicit ScoreTable(QWidget* parent = nullptr);

    void setColumns(std::vector<ScoreColumn> columns);
    void setNameTitle(const QString& title);  ///< of the first column, "Head" unless told
    void setRows(std::vector<ScoreRow> rows); ///< keeps the current row's number
    void setSorted(int column, bool rising);  ///< of the scores, 0 first
    void setCurrentRow(int row);              ///< emits nothing; -1: none

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

    void share(int width) override;
    void updateGeometries() override;
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    class Cells;
    bool anyRow(QString ScoreRow::*text) const; ///< that has it
    void paintName(QPainter& painter, const QRectF& rect, const ScoreRow& row,
                   const Theme& theme) const;
    void paintScore(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                    const Theme& theme) const;

    Cells* m_cells;
    QString m_currentName; ///< of the row that was last made current
    bool m_setting = false;
    bool m_sharing = false;
};

} // namespace headscope::ui
