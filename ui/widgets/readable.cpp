#include "ui/widgets/readable.h"

#include <QAbstractScrollArea>
#include <QAccessibleWidget>
#include <QPointer>
#include <QVariant>

#include <map>

namespace headscope::ui {

namespace {

using MakeTable = std::function<ReadableTable()>;

constexpr const char* kTable = "headscope_readableTable"; ///< Property that holds a MakeTable.
/// Property that holds a QAccessible::Role.
constexpr const char* kRole = "headscope_readableRole";

ReadableTable tableOf(const QWidget* widget)
{
    const auto make = widget ? widget->property(kTable).value<MakeTable>() : MakeTable();
    return make ? make() : ReadableTable();
}

QString asked(const std::function<QString(HeatmapCell)>& text, HeatmapCell cell)
{
    return text ? text(cell) : QString();
}

/// One cell, whose name is its whole sentence, so that moving the cursor reads it.
class ReadableCell : public QAccessibleInterface, public QAccessibleTableCellInterface
{
public:
    ReadableCell(QWidget* widget, HeatmapCell cell, QAccessible::Role role)
        : m_widget(widget)
        , m_cell(cell)
        , m_role(role)
    {
    }

    bool isValid() const override { return tableOf(m_widget).contains(m_cell); }

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

    QAccessible::Role role() const override { return m_role; }

    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override
    {
        const ReadableTable table = tableOf(m_widget);
        if (!table.contains(m_cell))
            return {};
        if (kind == QAccessible::Value)
            return asked(table.value, m_cell);
        return kind == QAccessible::Name ? asked(table.words, m_cell) : QString();
    }

    QRect rect() const override
    {
        const ReadableTable table = tableOf(m_widget);
        if (!table.contains(m_cell) || !table.place)
            return {};
        const auto* scrolled = qobject_cast<const QAbstractScrollArea*>(m_widget.data());
        const QWidget* drawn = scrolled ? scrolled->viewport() : m_widget.data();
        const QRect local = table.place(m_cell).toAlignedRect();
        return {drawn->mapToGlobal(local.topLeft()), local.size()};
    }

    QAccessible::State state() const override
    {
        const ReadableTable table = tableOf(m_widget);
        QAccessible::State state;
        state.readOnly = true;
        state.selectable = true;
        state.focusable = true;
        state.selected = table.current == m_cell;
        state.focused = state.selected && m_widget && m_widget->hasFocus();
        state.invalid = !table.contains(m_cell);
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface && m_role == QAccessible::Cell
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
    QAccessible::Role m_role;
};

/// Interface that creates cells on request and keeps them as long as the table.
class ReadableInterface : public QAccessibleWidget, public QAccessibleTableInterface
{
public:
    ReadableInterface(QWidget* widget, QAccessible::Role role)
        : QAccessibleWidget(widget, role)
        , m_isList(role == QAccessible::List)
    {
    }

    ~ReadableInterface() override
    {
        for (const auto& [index, id] : m_cells)
            QAccessible::deleteAccessibleInterface(id);
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TableInterface && !m_isList)
            return static_cast<QAccessibleTableInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    QString text(QAccessible::Text kind) const override
    {
        const ReadableTable table = now();
        if (kind == QAccessible::Value && table.current && table.contains(*table.current))
            return asked(table.words, *table.current);
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
        const auto* cell = dynamic_cast<const ReadableCell*>(child);
        return cell ? cell->rowIndex() * columnCount() + cell->columnIndex() : -1;
    }

    QAccessibleInterface* focusChild() const override { return currentCell(); }

    QAccessibleInterface* cellAt(int row, int column) const override
    {
        if (!now().contains({row, column}))
            return nullptr;
        const std::pair<int, int> index(row, column);
        const auto known = m_cells.find(index);
        if (known != m_cells.end())
            return QAccessible::accessibleInterface(known->second);
        auto* cell = new ReadableCell(widget(), {row, column},
                                      m_isList ? QAccessible::ListItem : QAccessible::Cell);
        m_cells.emplace(index, QAccessible::registerAccessibleInterface(cell));
        return cell;
    }

    int rowCount() const override { return now().rows; }

    int columnCount() const override { return now().columns; }

    QString rowDescription(int row) const override
    {
        const ReadableTable table = now();
        return table.rowName && table.contains({row, 0}) ? table.rowName(row) : QString();
    }

    QString columnDescription(int column) const override
    {
        const ReadableTable table = now();
        return table.columnName && table.contains({0, column}) ? table.columnName(column)
                                                               : QString();
    }

    QAccessibleInterface* caption() const override { return nullptr; }

    QAccessibleInterface* summary() const override { return nullptr; }

    int selectedCellCount() const override { return currentCell() ? 1 : 0; }

    int selectedColumnCount() const override { return 0; }

    int selectedRowCount() const override { return currentCell() ? 1 : 0; }

    QList<QAccessibleInterface*> selectedCells() const override
    {
        auto* cell = currentCell();
        return cell ? QList<QAccessibleInterface*>{cell} : QList<QAccessibleInterface*>{};
    }

    QList<int> selectedColumns() const override { return {}; }

    QList<int> selectedRows() const override
    {
        const auto current = now().current;
        return currentCell() ? QList<int>{current->row} : QList<int>{};
    }

    bool isColumnSelected(int) const override { return false; }

    bool isRowSelected(int row) const override { return selectedRows().contains(row); }

    bool selectRow(int) override { return false; }

    bool selectColumn(int) override { return false; }

    bool unselectRow(int) override { return false; }

    bool unselectColumn(int) override { return false; }

    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    ReadableTable now() const { return tableOf(widget()); }

    QAccessibleInterface* currentCell() const
    {
        const auto current = now().current;
        return current ? cellAt(current->row, current->column) : nullptr;
    }

    bool m_isList;
    mutable std::map<std::pair<int, int>, QAccessible::Id> m_cells;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    const QVariant role = widget ? widget->property(kRole) : QVariant();
    if (!role.isValid())
        return nullptr;
    const auto kind = static_cast<QAccessible::Role>(role.toInt());
    if (widget->property(kTable).isValid())
        return new ReadableInterface(widget, kind);
    return new QAccessibleWidget(widget, kind);
}

void makeReadableAs(QWidget& widget, QAccessible::Role role, MakeTable table)
{
    widget.setProperty(kTable, QVariant::fromValue(std::move(table)));
    makeReadable(widget, role);
}

} // namespace

void makeReadable(QWidget& widget, MakeTable table)
{
    makeReadableAs(widget, QAccessible::Table, std::move(table));
}

void makeReadableList(QWidget& widget, MakeTable table)
{
    makeReadableAs(widget, QAccessible::List, std::move(table));
}

void makeReadable(QWidget& widget, QAccessible::Role role)
{
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed)
    widget.setProperty(kRole, static_cast<int>(role));
    // Qt requests the interface whenever a name is set, and keeps the previous one.
    QAccessibleInterface* known = QAccessible::queryAccessibleInterface(&widget);
    if (known && known->role() != role)
        QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(known));
}

void announceCurrent(QWidget& widget)
{
    if (!QAccessible::isActive())
        return;
    const ReadableTable table = tableOf(&widget);
    if (!table.current || !table.contains(*table.current))
        return;
    QAccessibleEvent event(&widget, QAccessible::Focus);
    event.setChild(table.current->row * table.columns + table.current->column);
    QAccessible::updateAccessibility(&event);
}

} // namespace headscope::ui
