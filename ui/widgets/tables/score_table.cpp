#include "ui/widgets/tables/score_table.h"

#include "ui/widgets/tables/row_cells.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr int kNumberWidth = 52;
constexpr int kTextWidth = 208;
constexpr int kFewestWords = 72;  // minimum width, elided below the full width
constexpr int kLeastBar = 40;     // Bars get this much before words get their full width.
constexpr int kLongestName = 240; // longer names are elided

} // namespace

/// Model in which section 0 is the name and section c + 1 the c-th score.
class ScoreTable::Cells : public RowCells<ScoreColumn, ScoreRow>
{
public:
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(columns.size()) + 1;
    }

    double value(const QModelIndex& index) const
    {
        return row(index.row()).values.at(static_cast<std::size_t>(index.column() - 1));
    }

    QString textOf(const QModelIndex& index) const
    {
        if (index.column() == 0)
            return row(index.row()).name;
        const double shown = value(index);
        return std::isnan(shown) ? QStringLiteral("\u2013")
                                 : number(shown, score(index.column()).decimals);
    }

    QVariant data(const QModelIndex& index, int role) const override
    {
        const ScoreRow& shown = row(index.row());
        const bool isName = index.column() == 0;
        if (role == Qt::DisplayRole)
            return textOf(index);
        if (role == Qt::ToolTipRole && isName)
            return shown.words;
        if (role == Qt::AccessibleTextRole)
            return isName ? rowText(shown)
                          : ScoreTable::tr("%1 %2").arg(score(index.column()).title, textOf(index));
        return {};
    }

    QString rowText(const ScoreRow& shown) const
    {
        return areHeads ? ScoreTable::tr("head %1 %2 %3").arg(shown.name, shown.note, shown.words)
                        : QStringList{shown.name, shown.note, shown.words}
                              .join(QLatin1Char(' '))
                              .simplified();
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal) // not shown, but read by screen readers
            return role == Qt::DisplayRole ? row(section).name : QVariant();
        if (role == Qt::DisplayRole)
            return section == 0 ? nameTitle : score(section).title;
        return role == Qt::ToolTipRole && section > 0 ? QVariant(score(section).toolTip)
                                                      : QVariant();
    }

    const ScoreColumn& score(int section) const { return column(section - 1); }

    QString nameTitle = ScoreTable::tr("Head");
    bool areHeads = true; ///< Whether rows are heads, for screen readers.
};

ScoreTable::ScoreTable(QWidget* parent)
    : RowTable(new Cells, 1, tr("Scores of all heads"), parent)
    , m_cells(static_cast<Cells*>(model()))
{
    RowTable::setSorted(0, false);
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { emit rowOpened(index.row()); });
}

bool ScoreTable::anyRow(QString ScoreRow::*text) const
{
    return std::ranges::any_of(rows(),
                               [text](const ScoreRow& row) { return !(row.*text).isEmpty(); });
}

void ScoreTable::paintCell(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                           const Theme& theme) const
{
    if (index.column() == 0)
        paintName(painter, rect, m_cells->row(index.row()), theme);
    else
        paintScore(painter, rect, index, theme);
}

void ScoreTable::paintName(QPainter& painter, const QRectF& rect, const ScoreRow& row,
                           const Theme& theme) const
{
    const QFont strong = theme.bold(TextRole::Table);
    painter.setFont(strong);
    painter.setPen(theme.text);
    const QString name = QFontMetricsF(strong).elidedText(
        row.name, Qt::ElideMiddle, std::max<double>(m_nameWidth, 52 * theme.scale()));
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, name);
    const double used = QFontMetricsF(strong).horizontalAdvance(name) + 6.0;
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    painter.drawText(rect.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.note);
    if (row.words.isEmpty())
        return;
    const double noteEnd = nameEnd(theme);
    const QRectF room = rect.adjusted(noteEnd, 0, 0, 0);
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text2);
    painter.drawText(
        room, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(painter.font()).elidedText(row.words, Qt::ElideRight, room.width()));
}

void ScoreTable::paintScore(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                            const Theme& theme) const
{
    const double full = m_cells->score(index.column()).full;
    const double value = m_cells->value(index);
    painter.setFont(theme.font(TextRole::Table));
    if (full > 0.0 && !std::isnan(value)) {
        const double room = std::max(rect.width() - kNumberWidth * theme.scale(), 0.0);
        const double length =
            value > 0.0 ? std::max(1.0, std::round(std::min(value / full, 1.0) * room)) : 0.0;
        painter.fillRect(QRectF(rect.x(), rect.center().y() - 6.0, length, 12.0),
                         index.column() - 1 == sortedColumn() ? theme.accent : theme.bar);
    }
    painter.setPen(theme.text);
    painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
}

const std::vector<ScoreColumn>& ScoreTable::columns() const
{
    return m_cells->columns;
}

const std::vector<ScoreRow>& ScoreTable::rows() const
{
    return m_cells->rows;
}

void ScoreTable::setColumns(std::vector<ScoreColumn> columns)
{
    if (columns == m_cells->columns)
        return; // keeps the scroll position
    m_cells->replaceColumns(std::move(columns));
    distribute(viewport()->width());
}

void ScoreTable::setNameTitle(const QString& title)
{
    m_cells->nameTitle = title;
    horizontalHeader()->viewport()->update();
}

void ScoreTable::setNamesWide(bool areWide)
{
    m_areNamesWide = areWide;
    distribute(viewport()->width());
}

void ScoreTable::setRowsAreHeads(bool areHeads)
{
    m_cells->areHeads = areHeads;
}

/// Width of the longest name, up to a limit; 0 where all fit into the usual column.
void ScoreTable::measureNames()
{
    const Theme theme = Theme::of(*this);
    const QFontMetrics names(theme.bold(TextRole::Table));
    int widest = 0;
    for (const ScoreRow& row : rows())
        widest = std::max(widest, names.horizontalAdvance(row.name));
    const int usual = qRound(52 * theme.scale());
    m_nameWidth = widest > usual ? std::min(widest + 2, qRound(kLongestName * theme.scale())) : 0;
}

/// Where the name and its note end, and the words begin.
double ScoreTable::nameEnd(const Theme& theme) const
{
    const double name = std::max<double>(m_nameWidth, 52 * theme.scale());
    return name + (anyRow(&ScoreRow::note) ? 40 * theme.scale() : 0.0);
}

void ScoreTable::setRows(std::vector<ScoreRow> rows)
{
    m_setting = true;
    const bool same = rows.size() == m_cells->rows.size();
    m_cells->fill(std::move(rows), same);
    m_setting = false;
    measureNames();
    distribute(viewport()->width());
}

void ScoreTable::setSorted(int column, bool rising)
{
    if (column != sortedColumn() || rising != isRising())
        scrollToTop();
    RowTable::setSorted(column, rising);
}

void ScoreTable::setCurrentRow(int row)
{
    m_setting = true;
    const QModelIndex index = m_cells->index(row, 0);
    const QString before =
        std::exchange(m_currentName, index.isValid() ? m_cells->row(row).name : QString());
    setAutoScroll(false); // a new order shows its first rows, wherever the current one is
    setCurrentIndex(index);
    setAutoScroll(true);
    if (index.isValid() && !before.isEmpty() && before != m_currentName)
        scrollTo(index);
    m_setting = false;
    viewport()->update();
}

/// Name and plain numbers get their natural width, then texts; columns with bars share the rest.
void ScoreTable::distribute(int width)
{
    const int count = m_cells->columnCount();
    if (count < 2 || width <= 0)
        return;
    const Theme theme = Theme::of(*this);
    const QFontMetrics titles(theme.bold(TextRole::Body));
    const bool worded = anyRow(&ScoreRow::words);
    std::vector<int> least{
        qRound(nameEnd(theme) + (8 + (worded ? kFewestWords : 0)) * theme.scale())};
    int barred = 0;
    int used = least.front();
    for (const ScoreColumn& column : m_cells->columns) {
        const QString title = column.title + QStringLiteral(" \u25BC"); // when it is sorted
        least.push_back(std::max(titles.horizontalAdvance(title) + 2 * kPadding + 2,
                                 qRound(64 * theme.scale())));
        used += least.back();
        barred += column.full > 0.0 ? 1 : 0;
    }
    const int narrowest = used + style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2;
    if (minimumWidth() != narrowest)
        setMinimumWidth(narrowest);
    const int words = worded ? qRound((kTextWidth - kFewestWords) * theme.scale()) : 0;
    const int most = m_areNamesWide ? std::max(width, words) : words;
    const int bars = barred * qRound(kLeastBar * theme.scale());
    const int more = std::clamp(width - used - bars, 0, most);
    least.front() += more;
    const int spare = std::max(width - used - more, 0);
    for (int section = 0; section < count; ++section) {
        const bool bar = section > 0 && m_cells->score(section).full > 0.0;
        setColumnWidth(section, least[static_cast<std::size_t>(section)] +
                                    (bar && barred > 0 ? spare / barred : 0));
    }
}

/// The scroll bar's visibility depends on the rows.
void ScoreTable::updateGeometries()
{
    QTableView::updateGeometries();
    if (!m_sharing && m_cells) {
        m_sharing = true;
        distribute(viewport()->width());
        m_sharing = false;
    }
}

void ScoreTable::keyPressEvent(QKeyEvent* event)
{
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (chooseColumnBeside(event->key()))
        return;
    if (event->key() == Qt::Key_Space)
        emit columnChosen(sortedColumn());
    else if (opens && currentRow() >= 0)
        emit rowOpened(currentRow());
    else
        QTableView::keyPressEvent(event);
}

void ScoreTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    viewport()->update();
    if (!m_setting && current.isValid() && current.row() != previous.row())
        emit rowActivated(current.row());
}

} // namespace headscope::ui
