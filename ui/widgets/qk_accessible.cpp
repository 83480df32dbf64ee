#include "ui/widgets/qk_accessible.h"

#include "ui/widgets/qk_widget.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace headscope::ui {

namespace {

/// One number of one key.
class AccessibleStage : public QAccessibleInterface, public QAccessibleTableCellInterface
{
public:
    AccessibleStage(QkWidget* widget, int key, int stage)
        : m_widget(widget)
        , m_key(key)
        , m_stage(stage)
    {
    }

    bool isValid() const override
    {
        return m_widget && m_key < static_cast<int>(m_widget->content().keys.size()) &&
               m_stage < static_cast<int>(m_widget->content().stages.size());
    }

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
        if (!isValid() || (kind != QAccessible::Name && kind != QAccessible::Value))
            return {};
        const QkContent& content = m_widget->content();
        return kind == QAccessible::Name ? describeStage(content, m_key, m_stage)
                                         : stageText(content, m_key, m_stage);
    }

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect cell = m_widget->layoutNow().number(m_key, m_stage).toAlignedRect();
        return {m_widget->viewport()->mapToGlobal(cell.topLeft()), cell.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.readOnly = true;
        state.selectable = true;
        state.focusable = true;
        state.selected = isValid() && m_widget->content().key == m_key;
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

    int columnIndex() const override { return m_stage; }

    int rowIndex() const override { return m_key; }

    int columnExtent() const override { return 1; }

    int rowExtent() const override { return 1; }

    QAccessibleInterface* table() const override { return parent(); }

private:
    QPointer<QkWidget> m_widget;
    int m_key;
    int m_stage;
};

/// Cells are made when a reader asks for them and live as long as the table.
class AccessibleQk : public QAccessibleWidget, public QAccessibleTableInterface
{
public:
    explicit AccessibleQk(QWidget* widget) : QAccessibleWidget(widget, QAccessible::Table) {}

    ~AccessibleQk() override
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

    QAccessibleInterface* focusChild() const override { return chosenCell(); }

    QAccessibleInterface* cellAt(int row, int column) const override
    {
        if (row < 0 || row >= rowCount() || column < 0 || column >= columnCount())
            return nullptr;
        const std::pair<int, int> index(row, column);
        const auto known = m_cells.find(index);
        if (known != m_cells.end())
            return QAccessible::accessibleInterface(known->second);
        auto* cell = new AccessibleStage(&table(), row, column);
        m_cells.emplace(index, QAccessible::registerAccessibleInterface(cell));
        return cell;
    }

    int rowCount() const override { return static_cast<int>(table().content().keys.size()); }

    int columnCount() const override { return static_cast<int>(table().content().stages.size()); }

    QString rowDescription(int row) const override
    {
        return row >= 0 && row < rowCount()
                   ? table().content().keys[static_cast<std::size_t>(row)].label
                   : QString();
    }

    QString columnDescription(int column) const override
    {
        return column >= 0 && column < columnCount()
                   ? table().content().stages[static_cast<std::size_t>(column)].title
                   : QString();
    }

    QAccessibleInterface* caption() const override { return nullptr; }

    QAccessibleInterface* summary() const override { return nullptr; }

    int selectedCellCount() const override { return chosenCell() ? 1 : 0; }

    int selectedColumnCount() const override { return 0; }

    int selectedRowCount() const override { return chosenCell() ? 1 : 0; }

    QList<QAccessibleInterface*> selectedCells() const override
    {
        auto* cell = chosenCell();
        return cell ? QList<QAccessibleInterface*>{cell} : QList<QAccessibleInterface*>{};
    }

    QList<int> selectedColumns() const override { return {}; }

    QList<int> selectedRows() const override
    {
        return chosenCell() ? QList<int>{table().content().key} : QList<int>{};
    }

    bool isColumnSelected(int) const override { return false; }

    bool isRowSelected(int row) const override { return row == table().content().key; }

    bool selectRow(int) override { return false; }

    bool selectColumn(int) override { return false; }

    bool unselectRow(int) override { return false; }

    bool unselectColumn(int) override { return false; }

    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    QkWidget& table() const { return *static_cast<QkWidget*>(widget()); }

    /// The weight of the chosen key.
    QAccessibleInterface* chosenCell() const
    {
        return cellAt(table().content().key, columnCount() - 1);
    }

    mutable std::map<std::pair<int, int>, QAccessible::Id> m_cells;
};

QAccessibleInterface* makeQkInterface(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QkWidget*>(object);
    return widget ? new AccessibleQk(widget) : nullptr;
}

} // namespace

void registerQkAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(makeQkInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

void announceKey(QkWidget& widget)
{
    const QkContent& content = widget.content();
    if (!QAccessible::isActive() || content.isEmpty() || content.key < 0)
        return;
    const int columns = static_cast<int>(content.stages.size());
    QAccessibleEvent event(&widget, QAccessible::Focus);
    event.setChild(content.key * columns + columns - 1);
    QAccessible::updateAccessibility(&event);
}

} // namespace headscope::ui
