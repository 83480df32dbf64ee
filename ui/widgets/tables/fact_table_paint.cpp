#include "ui/widgets/tables/fact_table_paint.h"

#include "ui/widgets/style/theme.h"
#include "ui/widgets/tables/fact_table.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kHeaderHeight = 36;
constexpr int kPadding = 8;
constexpr double kSquare = 10.0;

class FactDelegate : public QStyledItemDelegate
{
public:
    explicit FactDelegate(FactTable* table) : QStyledItemDelegate(table), m_table(table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme theme = Theme::of(*m_table);
        const bool chosen = m_table->selectionModel()->isRowSelected(index.row());
        const QRectF rect(option.rect);
        painter->save();
        painter->fillRect(rect, chosen ? theme.soft : theme.surface);
        painter->fillRect(QRectF(rect.x(), rect.bottom() - 1, rect.width(), 1), theme.line);
        if (index.row() == m_table->currentIndex().row() && m_table->hasFocus())
            paintFocus(*painter, rect, index.column(), theme);
        paintText(*painter, rect.adjusted(kPadding, 0, -kPadding, -1), index, theme);
        painter->restore();
    }

private:
    void paintFocus(QPainter& painter, const QRectF& rect, int column, const Theme& theme) const
    {
        painter.fillRect(QRectF(rect.x(), rect.y(), rect.width(), 2), theme.accent);
        painter.fillRect(QRectF(rect.x(), rect.bottom() - 2, rect.width(), 2), theme.accent);
        if (column == 0)
            painter.fillRect(QRectF(rect.x(), rect.y(), 2, rect.height()), theme.accent);
        if (column == static_cast<int>(m_table->columns().size()) - 1)
            painter.fillRect(QRectF(rect.right() - 2, rect.y(), 2, rect.height()), theme.accent);
    }

    static QColor dotColour(FactRow::Dot dot, const Theme& theme)
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

    /// What is drawn before the text; returns how wide it is.
    double paintSign(QPainter& painter, const QRectF& rect, const FactRow& row, int column,
                     const Theme& theme) const
    {
        const double top = std::round(rect.center().y() - kSquare / 2);
        if (column == 0 && row.hue >= 0) {
            const auto slot = static_cast<std::size_t>(row.hue) % theme.heads.size();
            painter.fillRect(QRectF(rect.x(), top, kSquare, kSquare), theme.heads[slot]);
            return kSquare + 6;
        }
        if (column != m_table->dotColumn() || row.dot == FactRow::Dot::None)
            return 0.0;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(dotColour(row.dot, theme));
        painter.drawEllipse(QRectF(rect.x() + 1, top + 1, kSquare - 2, kSquare - 2));
        painter.setRenderHint(QPainter::Antialiasing, false);
        return kSquare + 4;
    }

    void paintText(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                   const Theme& theme) const
    {
        const FactRow& row = m_table->rows()[static_cast<std::size_t>(index.row())];
        const double used = paintSign(painter, rect, row, index.column(), theme);
        const bool isNumber = m_table->columns()[static_cast<std::size_t>(index.column())].isNumber;
        const QFont font =
            index.column() == 0 ? theme.bold(TextRole::Table) : theme.font(TextRole::Table);
        const QRectF room = rect.adjusted(used, 0, 0, 0);
        painter.setFont(font);
        painter.setPen(theme.text);
        painter.drawText(
            room, (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
            QFontMetricsF(font).elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    }

    FactTable* m_table;
};

/// Titles in bold; the one that is sorted by in the accent, with the direction.
class FactHeader : public QHeaderView
{
public:
    explicit FactHeader(FactTable* table) : QHeaderView(Qt::Horizontal, table), m_table(table)
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
        const bool sorted = section == m_table->sortedColumn();
        const bool isNumber = m_table->columns()[static_cast<std::size_t>(section)].isNumber;
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
        painter->drawText(room, Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft),
                          QFontMetricsF(font).elidedText(text, Qt::ElideRight, room.width()));
        painter->restore();
    }

private:
    FactTable* m_table;
};

} // namespace

QAbstractItemDelegate* makeFactDelegate(FactTable& table)
{
    return new FactDelegate(&table);
}

QHeaderView* makeFactHeader(FactTable& table)
{
    return new FactHeader(&table);
}

} // namespace headscope::ui
