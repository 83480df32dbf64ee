#include "ui/widgets/lens_accessible.h"

#include "ui/widgets/lens_grid.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace headscope::ui {
namespace {

/// One cell: its name is the whole sentence, so that moving the cursor reads it.
class AccessibleCell : public QAccessibleInterface, public QAccessibleTableCellInterface
{
public:
    AccessibleCell(LensGrid* widget, HeatmapCell cell) : m_widget(widget), m_cell(cell) {}

    bool isValid() const override
    {
        return m_widget != nullptr && m_widget->content().holds(m_cell);
    }

    QObject* object() const override { return nullptr; }

    QWindow* window() const override { return parent() ? parent()->window() : nullptr; }

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
        if (kind == QAccessible::Value)
            return number(double{m_widget->content().values[m_widget->content().index(m_cell)]}, 3);
        return kind == QAccessible::Name ? describeLensCell(m_widget->content(), m_cell)
                                         : QString();
    }

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect local = m_widget->cellRect(m_cell).toAlignedRect();
        return {m_widget->mapToGlobal(local.topLeft()), local.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.readOnly = true;
        state.selectable = true;
        state.focusable = true;
        state.selected = isValid() && m_widget->content().current == m_cell;
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
    QPointer<LensGrid> m_widget;
    HeatmapCell m_cell;
};

/// The table. Cells are made when a reader asks for them and live as long as the table.
class AccessibleLens : public QAccessibleWidget, public QAccessibleTableInterface
{
public:
    explicit AccessibleLens(QWidget* widget) : QAccessibleWidget(widget, QAccessible::Table) {}

    ~AccessibleLens() override
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
        const auto current = grid().content().current;
        if (kind == QAccessible::Value && current && grid().content().holds(*current))
            return describeLensCell(grid().content(), *current);
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
        if (!grid().content().holds({row, column}))
            return nullptr; // a gap, or outside
        const std::pair<int, int> index(row, column);
        const auto known = m_cells.find(index);
        if (known != m_cells.end())
            return QAccessible::accessibleInterface(known->second);
        auto* cell = new AccessibleCell(&grid(), {row, column});
        m_cells.emplace(index, QAccessible::registerAccessibleInterface(cell));
        return cell;
    }

    int rowCount() const override { return grid().content().rows(); }

    int columnCount() const override { return grid().content().columns(); }

    QString rowDescription(int row) const override { return grid().content().rowLabels.value(row); }

    QString columnDescription(int column) const override
    {
        return grid().content().columnLabels.value(column);
    }

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
    LensGrid& grid() const { return *static_cast<LensGrid*>(widget()); }

    QAccessibleInterface* currentCell() const
    {
        const auto current = grid().content().current;
        return current ? cellAt(current->row, current->column) : nullptr;
    }

    mutable std::map<std::pair<int, int>, QAccessible::Id> m_cells;
};

QAccessibleInterface* makeLensInterface(const QString&, QObject* object)
{
    auto* widget = qobject_cast<LensGrid*>(object);
    return widget != nullptr ? new AccessibleLens(widget) : nullptr;
}

} // namespace

void registerLensAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(makeLensInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

void announceLensCell(LensGrid& widget)
{
    const auto current = widget.content().current;
    if (!QAccessible::isActive() || !current || !widget.content().holds(*current))
        return;
    QAccessibleEvent event(&widget, QAccessible::Focus);
    event.setChild(current->row * widget.content().columns() + current->column);
    QAccessible::updateAccessibility(&event);
}

} // namespace headscope::ui
