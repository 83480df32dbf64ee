#include "ui/widgets/described_table.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>
#include <QWidget>

#include <map>

namespace headscope::ui {
namespace {

bool contains(const DescribedTable& table, HeatmapCell cell)
{
    return cell.row >= 0 && cell.row < table.tableRows() && cell.column >= 0 &&
           cell.column < table.tableColumns();
}

const DescribedTable* tableOf(const QObject* object)
{
    return dynamic_cast<const DescribedTable*>(object);
}

class AccessibleTableCell : public QAccessibleInterface, public QAccessibleTableCellInterface
{
public:
    AccessibleTableCell(QWidget* widget, HeatmapCell cell) : m_widget(widget), m_cell(cell) {}

    bool isValid() const override { return m_widget && contains(*tableOf(m_widget), m_cell); }

    QObject* object() const override { return nullptr; }

    QAccessibleInterface* childAt(int, int) const override { return nullptr; }

    QAccessibleInterface* parent() const override
    {
        return m_widget ? QAccessible::queryAccessibleInterface(m_widget) : nullptr;
    }

    QAccessibleInterface* child(int) const override { return nullptr; }

    int childCount() const override { return 0; }

    int indexOfChild(const QAccessibleInterface*) const override { return -1; }

    QAccessible::Role role() const override { return QAccessible::Cell; }

    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        const DescribedTable& table = *tableOf(m_widget);
        return kind == QAccessible::Name    ? table.tableCellWords(m_cell)
               : kind == QAccessible::Value ? table.tableCellValue(m_cell)
                                            : QString();
    }

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect place = tableOf(m_widget)->tableCellPlace(m_cell);
        return {m_widget->mapToGlobal(place.topLeft()), place.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.readOnly = true;
        state.selectable = true;
        state.focusable = true;
        state.selected = isValid() && tableOf(m_widget)->tableCurrent() == m_cell;
        state.focused = state.selected && m_widget->hasFocus();
        state.invalid = !isValid();
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface
                   ? static_cast<QAccessibleTableCellInterface*>(this)
                   : nullptr;
    }

    bool isSelected() const override { return state().selected; }

    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }

    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }

    int columnIndex() const override { return m_cell.column; }

    int rowIndex() const override { return m_cell.row; }

    int columnExtent() const override { return 1; }

    int rowExtent() const override { return 1; }

    QAccessibleInterface* table() const override { return parent(); }

private:
    QPointer<QWidget> m_widget;
    HeatmapCell m_cell;
};

/// Cells are made when a reader asks for them and live as long as the table.
class AccessibleDescribedTable : public QAccessibleWidget, public QAccessibleTableInterface
{
public:
    explicit AccessibleDescribedTable(QWidget* widget)
        : QAccessibleWidget(widget, QAccessible::Table)
    {
    }

    ~AccessibleDescribedTable() override
    {
        for (const auto& [index, id] : m_cells)
            QAccessible::deleteAccessibleInterface(id);
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TableInterface)
            return static_cast<QAccessibleTableInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    QString text(QAccessible::Text kind) const override
    {
        const auto current = table().tableCurrent();
        if (kind == QAccessible::Value && current && contains(table(), *current))
            return table().tableCellWords(*current);
        return QAccessibleWidget::text(kind);
    }

    int childCount() const override { return rowCount() * columnCount(); }

    QAccessibleInterface* child(int index) const override
    {
        const int columns = columnCount();
        return columns > 0 ? cellAt(index / columns, index % columns) : nullptr;
    }

    int indexOfChild(const QAccessibleInterface* child) const override
    {
        auto* cell = const_cast<QAccessibleInterface*>(child)->tableCellInterface();
        return cell == nullptr ? -1 : cell->rowIndex() * columnCount() + cell->columnIndex();
    }

    QAccessibleInterface* focusChild() const override { return currentCell(); }

    QAccessibleInterface* cellAt(int row, int column) const override
    {
        if (!contains(table(), {row, column}))
            return nullptr;
        const std::pair<int, int> index(row, column);
        const auto known = m_cells.find(index);
        if (known != m_cells.end())
            return QAccessible::accessibleInterface(known->second);
        auto* cell = new AccessibleTableCell(widget(), {row, column});
        m_cells.emplace(index, QAccessible::registerAccessibleInterface(cell));
        return cell;
    }

    int rowCount() const override { return table().tableRows(); }

    int columnCount() const override { return table().tableColumns(); }

    QString rowDescription(int row) const override { return table().tableRowName(row); }

    QString columnDescription(int column) const override { return table().tableColumnName(column); }

    QAccessibleInterface* caption() const override { return nullptr; }

    QAccessibleInterface* summary() const override { return nullptr; }

    int selectedCellCount() const override { return currentCell() != nullptr ? 1 : 0; }

    int selectedColumnCount() const override { return 0; }

    int selectedRowCount() const override { return 0; }

    QList<QAccessibleInterface*> selectedCells() const override
    {
        auto* cell = currentCell();
        return cell != nullptr ? QList<QAccessibleInterface*>{cell}
                               : QList<QAccessibleInterface*>{};
    }

    QList<int> selectedColumns() const override { return {}; }

    QList<int> selectedRows() const override { return {}; }

    bool isColumnSelected(int) const override { return false; }

    bool isRowSelected(int) const override { return false; }

    bool selectRow(int) override { return false; }

    bool selectColumn(int) override { return false; }

    bool unselectRow(int) override { return false; }

    bool unselectColumn(int) override { return false; }

    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    const DescribedTable& table() const { return *tableOf(widget()); }

    QAccessibleInterface* currentCell() const
    {
        const auto current = table().tableCurrent();
        return current ? cellAt(current->row, current->column) : nullptr;
    }

    mutable std::map<std::pair<int, int>, QAccessible::Id> m_cells;
};

QAccessibleInterface* makeTableInterface(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    return widget != nullptr && tableOf(object) != nullptr ? new AccessibleDescribedTable(widget)
                                                           : nullptr;
}

} // namespace

DescribedTable::DescribedTable()
{
    static const bool installed = [] {
        QAccessible::installFactory(makeTableInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

void announceTableCell(QWidget& widget, const DescribedTable& table)
{
    const auto current = table.tableCurrent();
    if (!QAccessible::isActive() || !current || !contains(table, *current))
        return;
    QAccessibleEvent event(&widget, QAccessible::Focus);
    event.setChild(current->row * table.tableColumns() + current->column);
    QAccessible::updateAccessibility(&event);
}

} // namespace headscope::ui
