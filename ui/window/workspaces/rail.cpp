#include "ui/window/workspaces/rail.h"

#include "ui/widgets/style/theme.h"
#include "ui/window/frame/icons.h"

#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include <algorithm>

namespace headscope::ui {

namespace {

enum RailRole { NameRole = Qt::UserRole + 1, IconRole };

constexpr int kRowHeight = 32;
constexpr int kTightRowHeight = 24; // the smallest target
constexpr int kGroupHeight = 22;
constexpr int kCompactGroupHeight = 12; // a hairline instead of the name
constexpr int kWidth = 144;             // at least
constexpr int kTextLeft = 44;           // the row's margin, the icon and its gap
constexpr int kTextRight = 10;
constexpr int kCompactWidth = 56;

bool isPage(const QModelIndex& index)
{
    return index.data(NameRole).isValid();
}

/// Rows with a rounded soft fill, group names in text3.
class RailDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* rail = qobject_cast<const Rail*>(option.widget);
        if (isPage(index))
            return {10, rail ? rail->rowHeight() : kRowHeight};
        return {10, rail && rail->isCompact() ? kCompactGroupHeight : kGroupHeight};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme theme = Theme::of(*option.widget);
        painter->save();
        if (isPage(index))
            paintPage(*painter, option, index, theme);
        else
            paintGroup(*painter, option, index, theme);
        painter->restore();
    }

private:
    static bool isCompact(const QStyleOptionViewItem& option)
    {
        const auto* rail = qobject_cast<const Rail*>(option.widget);
        return rail && rail->isCompact();
    }

    static void paintGroup(QPainter& painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index, const Theme& theme)
    {
        if (isCompact(option)) {
            const QRect line = option.rect.adjusted(12, 0, -12, 0);
            if (index.row() > 0)
                painter.fillRect(line.left(), line.center().y(), line.width(), 1, theme.line);
            return;
        }
        painter.setFont(theme.bold(TextRole::Caption));
        painter.setPen(theme.text3);
        painter.drawText(option.rect.adjusted(16, 0, 0, 0), Qt::AlignVCenter,
                         index.data().toString());
    }

    static void paintPage(QPainter& painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index, const Theme& theme)
    {
        const bool chosen = option.state & QStyle::State_Selected;
        const QRectF row = QRectF(option.rect).adjusted(8, 1, -8, -1);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(chosen                                   ? theme.soft
                         : option.state & QStyle::State_MouseOver ? theme.hover
                                                                  : theme.window);
        painter.drawRoundedRect(row, 6, 6);
        if (chosen && option.widget->hasFocus()) {
            painter.setPen(QPen(theme.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(row.adjusted(1, 1, -1, -1), 5, 5);
        }
        const QColor ink = chosen ? theme.accent : theme.text2;
        const QString icon = index.data(IconRole).toString();
        const double ratio = option.widget->devicePixelRatioF();
        painter.drawPixmap(QPointF(row.left() + 8, row.center().y() - 10),
                           iconPixmap(icon, ink, 20, ratio));
        if (isCompact(option))
            return;
        painter.setFont(chosen ? theme.bold(TextRole::Table) : theme.font(TextRole::Table));
        painter.setPen(chosen ? theme.accent : theme.text);
        painter.drawText(row.adjusted(36, 0, 0, 0), Qt::AlignVCenter, index.data().toString());
    }
};

} // namespace

Rail::Rail(QWidget* parent)
    : QListView(parent)
    , m_pages(new QStandardItemModel(this))
    , m_rowHeight(kRowHeight)
{
    setModel(m_pages);
    setItemDelegate(new RailDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(NoEditTriggers);
    setAccessibleName(tr("Pages"));
    viewport()->setBackgroundRole(QPalette::Window);
    setCompact(false);
}

void Rail::clear()
{
    m_pages->clear();
}

void Rail::reserve(const QStringList& titles)
{
    m_reserved = titles;
    fitRows();
}

void Rail::addGroup(const QString& name)
{
    auto* item = new QStandardItem(name);
    item->setFlags(Qt::NoItemFlags);
    m_pages->appendRow(item);
}

void Rail::addPage(const QString& name, const QString& title, const QString& icon)
{
    auto* item = new QStandardItem(title);
    item->setData(name, NameRole);
    item->setData(icon, IconRole);
    item->setToolTip(title);
    m_pages->appendRow(item);
    fitRows();
}

void Rail::setCurrentPage(const QString& name)
{
    const QSignalBlocker blocker(this);
    for (int row = 0; row < m_pages->rowCount(); ++row) {
        if (m_pages->item(row)->data(NameRole).toString() == name && name != currentPage())
            setCurrentIndex(m_pages->index(row, 0));
    }
}

QString Rail::currentPage() const
{
    return currentIndex().data(NameRole).toString();
}

void Rail::setCompact(bool compact)
{
    m_compact = compact;
    fitRows();
}

void Rail::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    fitRows();
}

void Rail::fitRows()
{
    int groups = 0;
    for (int row = 0; row < m_pages->rowCount(); ++row)
        groups += isPage(m_pages->index(row, 0)) ? 0 : 1;
    const int pages = std::max(m_pages->rowCount() - groups, 1);
    const int room = height() - groups * (m_compact ? kCompactGroupHeight : kGroupHeight);
    m_rowHeight = std::clamp(room / pages, kTightRowHeight, kRowHeight);
    const int bar = room < pages * m_rowHeight ? verticalScrollBar()->sizeHint().width() : 0;
    const int least = qRound(kWidth * Theme::of(*this).scale());
    setFixedWidth(m_compact ? kCompactWidth + bar : std::max(least, widthOfTitles() + bar));
    scheduleDelayedItemsLayout();
}

/// Wide enough for every title in any language and type size.
int Rail::widthOfTitles() const
{
    const Theme theme = Theme::of(*this);
    const QFontMetrics metrics(theme.bold(TextRole::Table));
    QStringList titles = m_reserved;
    for (int row = 0; row < m_pages->rowCount(); ++row)
        titles << m_pages->item(row)->text();
    int widest = 0;
    for (const QString& title : titles)
        widest = std::max(widest, kTextLeft + metrics.horizontalAdvance(title) + kTextRight);
    return widest;
}

/// Screen readers select an entry without making it current.
void Rail::selectionChanged(const QItemSelection& chosen, const QItemSelection& before)
{
    QListView::selectionChanged(chosen, before);
    const QModelIndex index = chosen.indexes().value(0);
    if (isPage(index) && index != currentIndex())
        setCurrentIndex(index);
}

void Rail::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QListView::currentChanged(current, previous);
    if (isPage(current))
        emit pageChosen(current.data(NameRole).toString());
}

} // namespace headscope::ui
