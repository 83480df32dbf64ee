#pragma once

#include <QString>
#include <QTableView>

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

/// Named rows of numbers, some with bars. Columns are chosen by a click on their title or Left and
/// Right, rows by click or Up and Down; Enter or a double click opens one. It does not sort: who
/// fills it does.
class ScoreTable : public QTableView
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

    int sortedColumn() const;
    bool isRising() const;

    QSize sizeHint() const override { return {560, 480}; }

signals:
    void columnChosen(int column); ///< sort by it; the sorted one again: the other way
    void rowActivated(int row);
    void rowOpened(int row);

protected:
    void updateGeometries() override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    class Cells;
    void share(int width);
    void restyle();

    Cells* m_cells = nullptr;
    bool m_setting = false;
    bool m_sharing = false;
};

} // namespace headscope::ui
