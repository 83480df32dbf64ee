#include "ui/widgets/tables/fact_table.h"

#include "ui/widgets/tables/row_cells.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kSquare = 10.0;

QColor dotColour(FactRow::Dot dot, const Theme& theme)
{
    switch (dot) {
    case FactRow::Dot::Live:
        return theme.accent;
    case FactRow::Dot::Good:
        return theme.ok;
    case FactRow::Dot::Bad:
        return theme.error;
    case FactRow::Dot::Quiet:
    case FactRow::Dot::None:
        break;
    }
    return theme.bar;
}

bool haveSameIds(const std::vector<FactRow>& one, const std::vector<FactRow>& other)
{
    return std::ranges::equal(one, other, {}, &FactRow::id, &FactRow::id);
}

} // namespace

class FactTable::Cells : public RowCells<FactColumn, FactRow>
{
public:
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(columns.size());
    }

    QVariant data(const QModelIndex& index, int role) const override
    {
        const FactRow& shown = row(index.row());
        const QString text = shown.texts.value(index.column());
        if (role == Qt::DisplayRole)
            return text;
        if (role == Qt::ToolTipRole)
            return shown.toolTip;
        if (role == Qt::AccessibleTextRole)
            return column(index.column()).title + QLatin1Char(' ') +
                   (text.isEmpty() ? FactTable::tr("none") : text);
        return {};
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal) // not shown, but read by screen readers
            return role == Qt::DisplayRole ? row(section).texts.value(0) : QVariant();
        if (role == Qt::DisplayRole)
            return column(section).title;
        return role == Qt::ToolTipRole ? QVariant(column(section).toolTip) : QVariant();
    }
};

FactTable::FactTable(const QString& accessibleName, QWidget* parent)
    : RowTable(new Cells, 0, accessibleName, parent)
    , m_cells(static_cast<Cells*>(model()))
{
    setWordWrap(false);
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex&) { emit rowOpened(currentId()); });
}

/// Paints the sign before the text and returns its width.
double FactTable::paintSign(QPainter& painter, const QRectF& rect, const FactRow& row, int column,
                            const Theme& theme) const
{
    const double top = std::round(rect.center().y() - kSquare / 2);
    if (column == 0 && row.hue >= 0) {
        const auto slot = static_cast<std::size_t>(row.hue) % theme.heads.size();
        painter.fillRect(QRectF(rect.x(), top, kSquare, kSquare), theme.heads[slot]);
        return kSquare + 6;
    }
    if (column != m_dotColumn || row.dot == FactRow::Dot::None)
        return 0.0;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(dotColour(row.dot, theme));
    painter.drawEllipse(QRectF(rect.x() + 1, top + 1, kSquare - 2, kSquare - 2));
    painter.setRenderHint(QPainter::Antialiasing, false);
    return kSquare + 4;
}

void FactTable::paintCell(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                          const Theme& theme) const
{
    const double used = paintSign(painter, rect, m_cells->row(index.row()), index.column(), theme);
    const QFont font = fontOf(index.column(), theme);
    const QRectF room = rect.adjusted(used, 0, 0, 0);
    const QString text = index.data().toString();
    const auto side = isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft;
    painter.setFont(font);
    painter.setPen(theme.text);
    if (m_cells->column(index.column()).wraps)
        painter.drawText(room, side | Qt::AlignVCenter | Qt::TextWordWrap, text);
    else
        painter.drawText(room, side | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(text, Qt::ElideRight, room.width()));
}

QFont FactTable::fontOf(int column, const Theme& theme) const
{
    return column == 0 ? theme.bold(TextRole::Table) : theme.font(TextRole::Table);
}

/// Rows are as high as their wrapped texts.
void FactTable::fitRows()
{
    constexpr int kAir = 10; // above and below several lines
    const Theme theme = Theme::of(*this);
    const auto& columns = m_cells->columns;
    if (std::ranges::none_of(columns, &FactColumn::wraps))
        return;
    for (int row = 0; row < m_cells->rowCount(); ++row) {
        int height = verticalHeader()->defaultSectionSize();
        for (int column = 0; column < m_cells->columnCount(); ++column) {
            if (!columns[static_cast<std::size_t>(column)].wraps)
                continue;
            const QRectF room(0.0, 0.0, columnWidth(column) - 2 * kPadding, 1e4);
            const QRectF needed =
                QFontMetricsF(fontOf(column, theme))
                    .boundingRect(room, Qt::TextWordWrap, m_cells->row(row).texts.value(column));
            height = std::max(height, static_cast<int>(std::ceil(needed.height())) + kAir);
        }
        setRowHeight(row, height);
    }
}

bool FactTable::isNumber(int section) const
{
    return m_cells->column(section).isNumber;
}

const std::vector<FactColumn>& FactTable::columns() const
{
    return m_cells->columns;
}

const std::vector<FactRow>& FactTable::rows() const
{
    return m_cells->rows;
}

void FactTable::setColumns(std::vector<FactColumn> columns, int dotColumn)
{
    m_dotColumn = dotColumn;
    m_cells->replaceColumns(std::move(columns));
    distribute(viewport()->width());
}

void FactTable::setRows(std::vector<FactRow> rows)
{
    const QStringList ids = chosen();
    const QString current = currentId();
    m_setting = true;
    const bool same = haveSameIds(m_cells->rows, rows);
    m_cells->fill(std::move(rows), same);
    if (ids != chosen() || current != currentId())
        select(ids, current);
    m_setting = false;
    fitRows();
    viewport()->update();
}

void FactTable::select(const QStringList& ids, const QString& current)
{
    QItemSelection selection;
    QModelIndex at;
    for (int row = 0; row < m_cells->rowCount(); ++row) {
        const QString& id = m_cells->row(row).id;
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
    return row >= 0 && row < m_cells->rowCount() ? m_cells->row(row).id : QString();
}

/// Least width of a column. A table that scrolls sideways elides no title.
int FactTable::leastWidth(const FactColumn& column, const Theme& theme) const
{
    const int designed = qRound(column.width * theme.scale());
    if (horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff)
        return designed;
    const QFontMetrics titles(theme.bold(TextRole::Body));
    return std::max(designed, titles.horizontalAdvance(column.title) + 2 * kPadding + 2);
}

void FactTable::distribute(int width)
{
    const Theme theme = Theme::of(*this);
    int used = 0;
    int stretching = 0;
    for (const FactColumn& column : m_cells->columns) {
        used += leastWidth(column, theme);
        stretching += column.stretches ? 1 : 0;
    }
    const int spare = std::max(width - used, 0);
    for (std::size_t section = 0; section < m_cells->columns.size(); ++section) {
        const FactColumn& column = m_cells->columns[section];
        setColumnWidth(static_cast<int>(section),
                       leastWidth(column, theme) + (column.stretches ? spare / stretching : 0));
    }
    fitRows();
}

void FactTable::selectionChanged(const QItemSelection& now, const QItemSelection& before)
{
    QTableView::selectionChanged(now, before);
    viewport()->update();
    if (!m_setting)
        emit choiceChanged();
}

/// Handles Delete here, as it is also a shortcut of the window.
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
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isPlain && chooseColumnBeside(event->key()))
        return;
    if (isPlain && opens && currentIndex().isValid()) {
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
