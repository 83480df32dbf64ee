#include "ui/widgets/tables/row_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kRowHeight = 32;
constexpr int kHeaderHeight = 36;

} // namespace

class RowTable::Delegate : public QStyledItemDelegate
{
public:
    explicit Delegate(RowTable* table) : QStyledItemDelegate(table), m_table(table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme theme = Theme::of(*m_table);
        const bool chosen = m_table->selectionModel()->isRowSelected(index.row());
        const QRectF rect(option.rect);
        if (option.rect.top() < 0) // the header would cut it: the last rows end at the bottom
            return painter->fillRect(rect, theme.surface);
        painter->save();
        painter->fillRect(rect, chosen ? theme.soft : theme.surface);
        painter->fillRect(QRectF(rect.x(), rect.bottom() - 1, rect.width(), 1), theme.line);
        if (index.row() == m_table->currentIndex().row() && m_table->hasFocus())
            paintFocus(*painter, rect, index.column(), theme);
        m_table->paintCell(*painter, rect.adjusted(kPadding, 0, -kPadding, -1), index, theme);
        painter->restore();
    }

private:
    void paintFocus(QPainter& painter, const QRectF& rect, int section, const Theme& theme) const
    {
        painter.fillRect(QRectF(rect.x(), rect.y(), rect.width(), 2), theme.accent);
        painter.fillRect(QRectF(rect.x(), rect.bottom() - 2, rect.width(), 2), theme.accent);
        if (section == 0)
            painter.fillRect(QRectF(rect.x(), rect.y(), 2, rect.height()), theme.accent);
        if (section == m_table->model()->columnCount() - 1)
            painter.fillRect(QRectF(rect.right() - 2, rect.y(), 2, rect.height()), theme.accent);
    }

    RowTable* m_table;
};

/// Header with bold titles; the sort column is in the accent colour, with the direction.
class RowTable::Header : public QHeaderView
{
public:
    explicit Header(RowTable* table) : QHeaderView(Qt::Horizontal, table), m_table(table)
    {
        setSectionsClickable(true);
        setHighlightSections(false);
        setFocusPolicy(Qt::NoFocus);
        setMinimumSectionSize(40);
        setFixedHeight(kHeaderHeight);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const Theme theme = Theme::of(*m_table);
        const int column = section - m_table->m_firstColumn;
        const bool sorted = column >= 0 && column == m_table->m_sorted;
        painter->save();
        painter->fillRect(rect, theme.surface);
        painter->fillRect(QRect(rect.x(), rect.bottom(), rect.width(), 1), theme.line2);
        const QFont font = theme.bold(TextRole::Body);
        painter->setFont(font);
        painter->setPen(sorted ? theme.accent : theme.text2);
        const QRectF room = QRectF(rect).adjusted(kPadding, 0, -kPadding, 0);
        QString text = model()->headerData(section, Qt::Horizontal).toString();
        if (sorted)
            text += m_table->isRising() ? QStringLiteral(" \u25B2") : QStringLiteral(" \u25BC");
        painter->drawText(
            room, Qt::AlignVCenter | (m_table->isNumber(section) ? Qt::AlignRight : Qt::AlignLeft),
            QFontMetricsF(font).elidedText(text, Qt::ElideRight, room.width()));
        painter->restore();
    }

private:
    RowTable* m_table;
};

RowTable::RowTable(QAbstractTableModel* cells, int firstColumn, const QString& accessibleName,
                   QWidget* parent)
    : QTableView(parent)
    , m_firstColumn(firstColumn)
    , m_leastRowHeight(kRowHeight)
{
    cells->setParent(this);
    setModel(cells);
    setItemDelegate(new Delegate(this));
    setHorizontalHeader(new Header(this));
    verticalHeader()->hide();
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setAccessibleName(accessibleName);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        if (m_sorted >= 0 && section >= m_firstColumn)
            emit columnChosen(section - m_firstColumn);
    });
    const auto followRows = [this] { // an empty table is no tab stop
        setFocusPolicy(model()->rowCount() > 0 ? Qt::StrongFocus : Qt::NoFocus);
        fitRowHeight();
    };
    connect(cells, &QAbstractItemModel::modelReset, this, followRows);
    followRows();
    restyle();
}

void RowTable::restyle()
{
    fitRowHeight();
    viewport()->update();
    horizontalHeader()->viewport()->update();
}

void RowTable::setLeastRowHeight(int height)
{
    m_leastRowHeight = height;
    fitRowHeight();
}

/// Usual rows where they fit, otherwise as high as fits, but no lower than allowed.
void RowTable::fitRowHeight()
{
    const double scale = Theme::of(*this).scale();
    const int fitting = viewport()->height() / std::max(model()->rowCount(), 1);
    verticalHeader()->setDefaultSectionSize(
        std::clamp(fitting, qRound(m_leastRowHeight * scale), qRound(kRowHeight * scale)));
}

void RowTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (model() && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange))
        restyle();
}

void RowTable::setSorted(int column, bool rising)
{
    m_sorted = column;
    m_rising = rising;
    horizontalHeader()->viewport()->update();
    viewport()->update();
}

int RowTable::wholeHeight() const
{
    const bool scrolls = horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff &&
                         horizontalHeader()->length() > viewport()->width();
    return horizontalHeader()->height() + verticalHeader()->length() +
           (scrolls ? horizontalScrollBar()->sizeHint().height() : 0);
}

bool RowTable::chooseColumnBeside(int key)
{
    if (m_sorted < 0 || (key != Qt::Key_Left && key != Qt::Key_Right))
        return false;
    const int to = m_sorted + (key == Qt::Key_Right ? 1 : -1);
    if (to >= 0 && to < model()->columnCount() - m_firstColumn)
        emit columnChosen(to);
    return true;
}

void RowTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitRowHeight();
    distribute(viewport()->width());
}

} // namespace headscope::ui
