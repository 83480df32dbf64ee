#pragma once

#include "ui/widgets/tables/row_table.h"

#include <QStringList>

#include <vector>

namespace headscope::ui {

struct FactColumn
{
    QString title;
    QString toolTip;
    int width = 96;        ///< Width in logical pixels.
    bool isNumber = false; ///< Right-aligned.
    bool stretches = false;
    bool wraps = false; ///< Shows long texts in several lines; others are elided.
};

struct FactRow
{
    enum class Dot { None, Live, Good, Quiet, Bad };

    QString id; ///< Identifier that keeps the selection when rows change.
    QStringList texts;
    QString toolTip;
    Dot dot = Dot::None; ///< Dot before the text of the column `dotColumn`; always with a text.
    int hue = -1;        ///< Hue of the square before the first text: a head slot; -1: none.
};

/// Table of short texts. Enter or a double click opens a row, Delete requests its removal.
class FactTable : public RowTable
{
    Q_OBJECT

public:
    explicit FactTable(const QString& accessibleName, QWidget* parent = nullptr);

    void setColumns(std::vector<FactColumn> columns, int dotColumn = -1);
    void setRows(std::vector<FactRow> rows);
    /// Selects rows without emitting a signal; the last one becomes current.
    void setChosen(const QStringList& ids);
    void setSeveral(bool on); ///< Allows selecting several rows with Shift, Ctrl and Space.

    const std::vector<FactColumn>& columns() const;
    const std::vector<FactRow>& rows() const;
    QStringList chosen() const; ///< Selected ids in table order.
    QString currentId() const;

    QSize sizeHint() const override { return {640, 240}; }

signals:
    void choiceChanged(); ///< Emitted when the user changes the selection.
    void rowOpened(const QString& id);
    void removeWanted(const QString& id);

protected:
    void paintCell(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                   const Theme& theme) const override;
    bool isNumber(int section) const override;
    void distribute(int width) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void selectionChanged(const QItemSelection& now, const QItemSelection& before) override;

private:
    class Cells;
    double paintSign(QPainter& painter, const QRectF& rect, const FactRow& row, int column,
                     const Theme& theme) const;
    void select(const QStringList& ids, const QString& current);
    QFont fontOf(int column, const Theme& theme) const;
    int leastWidth(const FactColumn& column, const Theme& theme) const;
    void fitRows();

    Cells* m_cells;
    int m_dotColumn = -1;
    bool m_setting = false;
};

} // namespace headscope::ui
