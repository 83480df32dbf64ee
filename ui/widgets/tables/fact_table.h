#pragma once

#include <QStringList>
#include <QTableView>

#include <vector>

namespace headscope::ui {

struct FactColumn
{
    QString title;
    QString toolTip;
    int width = 96;        ///< logical pixels
    bool isNumber = false; ///< at the right
    bool stretches = false;
};

struct FactRow
{
    enum class Dot { None, Live, Good, Quiet, Bad };

    QString id; ///< keeps what is chosen when rows change
    QStringList texts;
    QString toolTip;
    Dot dot = Dot::None; ///< before the text of the column `dotColumn`; never without a word
    int hue = -1;        ///< of the square before the first text: a head slot; -1: none
};

/// Rows of short texts. Titles and Left/Right choose the column to sort by; it does not sort: who
/// fills it does. Enter or a double click opens a row, Delete asks to remove it.
class FactTable : public QTableView
{
    Q_OBJECT

public:
    explicit FactTable(const QString& accessibleName, QWidget* parent = nullptr);

    void setColumns(std::vector<FactColumn> columns, int dotColumn = -1);
    void setRows(std::vector<FactRow> rows);
    void setSorted(int column, bool rising); ///< -1: not sorted, and titles cannot be chosen
    void setChosen(const QStringList& ids);  ///< emits nothing; the last one becomes current
    void setSeveral(bool on);                ///< Shift, Ctrl and Space choose more than one row

    const std::vector<FactColumn>& columns() const;
    const std::vector<FactRow>& rows() const;
    QStringList chosen() const; ///< in the order of the table
    QString currentId() const;

    int dotColumn() const;
    int sortedColumn() const;
    bool isRising() const;

    QSize sizeHint() const override { return {640, 240}; }

signals:
    void columnChosen(int column); ///< sort by it; the sorted one again: the other way
    void choiceChanged();          ///< by the person
    void rowOpened(const QString& id);
    void removeWanted(const QString& id);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void selectionChanged(const QItemSelection& now, const QItemSelection& before) override;

private:
    class Cells;
    void share(int width);
    void restyle();
    void select(const QStringList& ids, const QString& current);

    Cells* m_cells;
    bool m_setting = false;
};

} // namespace headscope::ui
