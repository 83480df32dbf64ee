#include "ui/widgets/tables/fact_table.h"

#include "ui/widgets/style/theme.h"
#include "ui/widgets/tables/fact_table_paint.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr int kRowHeight = 32;

} // namespace

class FactTable::Cells : public QAbstractTableModel
{
public:
    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(rows.size());
    }

    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(columns.size());
    }

    QVariant data(const QModelIndex& index, int role) const override
    {
        const FactRow& row = rows[static_cast<std::size_t>(index.row())];
        const QString text = row.texts.value(index.column());
        if (role == Qt::DisplayRole)
            return text;
        if (role == Qt::ToolTipRole)
            return row.toolTip;
        if (role == Qt::AccessibleTextRole)
            return columns[static_cast<std::size_t>(index.column())].title + QLatin1Char(' ') +
                   (text.isEmpty() ? FactTable::tr("none") : text);
        return {};
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal) // not shown, but read aloud
            return role == Qt::DisplayRole ? rows[static_cast<std::size_t>(section)].texts.value(0)
                                           : QVariant();
        const FactColumn& column = columns[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole)
            return column.title;
        return role == Qt::ToolTipRole ? QVariant(column.toolTip) : QVariant();
    }

    bool hasSameIds(const std::vector<FactRow>& other) const
    {
        return std::equal(rows.begin(), rows.end(), other.begin(), other.end(),
                          [](const FactRow& a, const FactRow& b) { return a.id == b.id; });
    }

    void fill(std::vector<FactRow> filled)
    {
        const bool same = hasSameIds(filled);
        if (!same)
            beginResetModel();
        rows = std::move(filled);
        if (!same)
            endResetModel();
        else if (!rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }

    void replaceColumns(std::vector<FactColumn> replaced)
    {
        beginResetModel();
        columns = std::move(replaced);
        rows.clear();
        endResetModel();
    }

    std::vector<FactColumn> columns;
    std::vector<FactRow> rows;
    int dotColumn = -1;
    int sorted = -1;
    bool rising = false;
};

FactTable::FactTable(const QString& accessibleName, QWidget* parent)
    : QTableView(parent)
    , m_cells(new Cells(this))
{
    setModel(m_cells);
    setItemDelegate(makeFactDelegate(*this));
    setHorizontalHeader(makeFactHeader(*this));
    verticalHeader()->hide();
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setAccessibleName(accessibleName);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        if (m_cells->sorted >= 0)
            emit columnChosen(section);
    });
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex&) { emit rowOpened(currentId()); });
    restyle();
}

void FactTable::restyle()
{
    const Theme theme = Theme::of(*this);
    verticalHeader()->setDefaultSectionSize(qRound(kRowHeight * theme.scale()));
    viewport()->update();
    horizontalHeader()->viewport()->update();
}

void FactTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (m_cells && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange))
        restyle();
}

void FactTable::focusInEvent(QFocusEvent* event)
{
    QTableView::focusInEvent(event);
    viewport()->update();
}

void FactTable::focusOutEvent(QFocusEvent* event)
{
    QTableView::focusOutEvent(event);
    viewport()->update();
}

const std::vector<FactColumn>& FactTable::columns() const
{
    return m_cells->columns;
}

const std::vector<FactRow>& FactTable::rows() const
{
    return m_cells->rows;
}

int FactTable::dotColumn() const
{
    return m_cells->dotColumn;
}

int FactTable::sortedColumn() const
{
    return m_cells->sorted;
}

bool FactTable::isRising() const
{
    return m_cells->rising;
}

void FactTable::setColumns(std::vector<FactColumn> columns, int dotColumn)
{
    m_cells->dotColumn = dotColumn;
    m_cells->replaceColumns(std::move(columns));
    share(viewport()->width());
}

void FactTable::setRows(std::vector<FactRow> rows)
{
    const QStringList ids = chosen();
    const QString current = currentId();
    m_setting = true;
    m_cells->fill(std::move(rows));
    if (ids != chosen() || current != currentId())
        select(ids, current);
    m_setting = false;
    viewport()->update();
}

void FactTable::select(const QStringList& ids, const QString& current)
{
    QItemSelection selection;
    QModelIndex at;
    for (int row = 0; row < m_cells->rowCount(); ++row) {
        const QString& id = m_cells->rows[static_cast<std::size_t>(row)].id;
        const QModelIndex index = m_cells->index(row, 0);
        if (ids.contains(id))
            selection.select(index, index);
        if (id == current)
            at = index;
    }
    if (at.isValid())
        selectionModel()->setCurrentIndex(at, QItemSelectionModel::NoUpdate);
    selectionModel()->select(selection,
                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void FactTable::setChosen(const QStringList& ids)
{
    m_setting = true;
    select(ids, ids.isEmpty() ? QString() : ids.back());
    if (const QModelIndex at = currentIndex(); at.isValid() && ids.contains(currentId()))
        scrollTo(at);
    m_setting = false;
    viewport()->update();
}

void FactTable::setSeveral(bool on)
{
    setSelectionMode(on ? QAbstractItemView::ExtendedSelection
                        : QAbstractItemView::SingleSelection);
}

void FactTable::setSorted(int column, bool rising)
{
    m_cells->sorted = column;
    m_cells->rising = rising;
    horizontalHeader()->viewport()->update();
}

QStringList FactTable::chosen() const
{
    QStringList ids;
    for (std::size_t row = 0; row < m_cells->rows.size(); ++row)
        if (selectionModel()->isRowSelected(static_cast<int>(row)))
            ids << m_cells->rows[row].id;
    return ids;
}

QString FactTable::currentId() const
{
    const int row = currentIndex().row();
    return row >= 0 && row < m_cells->rowCount() ? m_cells->rows[static_cast<std::size_t>(row)].id
                                                 : QString();
}

void FactTable::share(int width)
{
    const double scale = Theme::of(*this).scale();
    int used = 0;
    int stretching = 0;
    for (const FactColumn& column : m_cells->columns) {
        used += qRound(column.width * scale);
        stretching += column.stretches ? 1 : 0;
    }
    const int spare = std::max(width - used, 0);
    for (std::size_t section = 0; section < m_cells->columns.size(); ++section) {
        const FactColumn& column = m_cells->columns[section];
        setColumnWidth(static_cast<int>(section),
                       qRound(column.width * scale) + (column.stretches ? spare / stretching : 0));
    }
}

void FactTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    share(viewport()->width());
}

void FactTable::selectionChanged(const QItemSelection& now, const QItemSelection& before)
{
    QTableView::selectionChanged(now, before);
    viewport()->update();
    if (!m_setting)
        emit choiceChanged();
}

/// Delete is also a shortcut of the window.
bool FactTable::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete && currentIndex().isValid())
        event->accept();
    return QTableView::event(event);
}

void FactTable::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = event->modifiers() == Qt::NoModifier;
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const int to = m_cells->sorted + (event->key() == Qt::Key_Right ? 1 : -1);
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isPlain && sideways && m_cells->sorted >= 0) {
        if (to >= 0 && to < m_cells->columnCount())
            emit columnChosen(to);
    } else if (isPlain && opens && currentIndex().isValid()) {
        emit rowOpened(currentId());
    } else if (isPlain && event->key() == Qt::Key_Delete && currentIndex().isValid()) {
        emit removeWanted(currentId());
    } else if (isPlain && event->key() == Qt::Key_Space &&
               selectionMode() == QAbstractItemView::ExtendedSelection) {
        selectionModel()->select(currentIndex(),
                                 QItemSelectionModel::Toggle | QItemSelectionModel::Rows);
    } else {
        QTableView::keyPressEvent(event);
    }
}

} // namespace headscope::ui
