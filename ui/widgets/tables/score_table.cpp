#include "ui/widgets/tables/score_table.h"

#include "ui/widgets/style/theme.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr int kRowHeight = 32;
constexpr int kHeaderHeight = 36;
constexpr int kPadding = 8;
constexpr int kNumberWidth = 52;
constexpr int kWordsWidth = 208;
constexpr int kFewestWords = 72; // elided below the full width

} // namespace

/// Column 0 is the name, column c + 1 the c-th score.
class ScoreTable::Cells : public QAbstractTableModel
{
public:
    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(rows.size());
    }

    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(columns.size()) + 1;
    }

    QString textOf(int row, int score) const
    {
        const std::vector<double>& values = rows[static_cast<std::size_t>(row)].values;
        const double value = values.at(static_cast<std::size_t>(score));
        return std::isnan(value) ? QStringLiteral("\u2013")
                                 : number(value, columns[static_cast<std::size_t>(score)].decimals);
    }

    QVariant data(const QModelIndex& index, int role) const override
    {
        const ScoreRow& row = rows[static_cast<std::size_t>(index.row())];
        if (role == Qt::DisplayRole)
            return index.column() == 0 ? row.name : textOf(index.row(), index.column() - 1);
        if (role == Qt::ToolTipRole && index.column() == 0)
            return row.words;
        if (role == Qt::AccessibleTextRole)
            return index.column() == 0 ? tr("head %1 %2 %3").arg(row.name, row.note, row.words)
                                       : tr("%1 %2").arg(columns[scoreOf(index.column())].title,
                                                         textOf(index.row(), index.column() - 1));
        return {};
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal) // not shown, but read aloud
            return role == Qt::DisplayRole ? rows[static_cast<std::size_t>(section)].name
                                           : QVariant();
        const bool isName = section == 0;
        if (role == Qt::DisplayRole)
            return isName ? nameTitle : columns[scoreOf(section)].title;
        if (role == Qt::ToolTipRole && !isName)
            return columns[scoreOf(section)].toolTip;
        return {};
    }

    void fill(std::vector<ScoreRow> filled)
    {
        const bool sameCount = filled.size() == rows.size();
        if (!sameCount)
            beginResetModel();
        rows = std::move(filled);
        if (!sameCount)
            endResetModel();
        else if (!rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }

    void replaceColumns(std::vector<ScoreColumn> replaced)
    {
        beginResetModel();
        columns = std::move(replaced);
        rows.clear();
        endResetModel();
    }

    static std::size_t scoreOf(int section) { return static_cast<std::size_t>(section - 1); }

    std::vector<ScoreColumn> columns;
    std::vector<ScoreRow> rows;
    QString nameTitle = ScoreTable::tr("Head");
    QString currentName; ///< of the row that was last made current
    int sorted = 0;
    bool rising = false;
};

namespace {

/// Names, bars and numbers of one table.
class ScoreDelegate : public QStyledItemDelegate
{
public:
    explicit ScoreDelegate(ScoreTable* table) : QStyledItemDelegate(table), m_table(table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme theme = Theme::of(*m_table);
        const bool current = index.row() == m_table->currentRow();
        const QRectF rect(option.rect);
        painter->save();
        painter->fillRect(rect, current ? theme.soft : theme.surface);
        painter->fillRect(QRectF(rect.x(), rect.bottom() - 1, rect.width(), 1), theme.line);
        if (current && m_table->hasFocus())
            paintFocus(*painter, rect, index.column(), theme);
        const QRectF inner = rect.adjusted(kPadding, 0, -kPadding, -1);
        if (index.column() == 0)
            paintName(*painter, inner, index.row(), theme);
        else
            paintScore(*painter, inner, index, theme);
        painter->restore();
    }

private:
    void paintFocus(QPainter& painter, const QRectF& rect, int column, const Theme& theme) const
    {
        painter.fillRect(QRectF(rect.x(), rect.y(), rect.width(), 2), theme.accent);
        painter.fillRect(QRectF(rect.x(), rect.bottom() - 2, rect.width(), 2), theme.accent);
        if (column == 0)
            painter.fillRect(QRectF(rect.x(), rect.y(), 2, rect.height()), theme.accent);
        if (column == static_cast<int>(m_table->columns().size()))
            painter.fillRect(QRectF(rect.right() - 2, rect.y(), 2, rect.height()), theme.accent);
    }

    double noteEnd(const Theme& theme) const
    {
        const bool noted = std::any_of(m_table->rows().begin(), m_table->rows().end(),
                                       [](const ScoreRow& row) { return !row.note.isEmpty(); });
        return (noted ? 92 : 52) * theme.scale();
    }

    void paintWords(QPainter& painter, const QRectF& rect, const QString& words,
                    const Theme& theme) const
    {
        const QRectF room = rect.adjusted(noteEnd(theme), 0, 0, 0);
        painter.setFont(theme.font(TextRole::Body));
        painter.setPen(theme.text2);
        painter.drawText(
            room, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, room.width()));
    }

    void paintName(QPainter& painter, const QRectF& rect, int row, const Theme& theme) const
    {
        const ScoreRow& shown = m_table->rows()[static_cast<std::size_t>(row)];
        const QFont strong = theme.bold(TextRole::Table);
        painter.setFont(strong);
        painter.setPen(theme.text);
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, shown.name);
        const double used = QFontMetricsF(strong).horizontalAdvance(shown.name) + 6.0;
        painter.setFont(theme.font(TextRole::Caption));
        painter.setPen(theme.text3);
        painter.drawText(rect.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         shown.note);
        if (!shown.words.isEmpty())
            paintWords(painter, rect, shown.words, theme);
    }

    void paintScore(QPainter& painter, const QRectF& rect, const QModelIndex& index,
                    const Theme& theme) const
    {
        const int score = index.column() - 1;
        const double full = m_table->columns()[static_cast<std::size_t>(score)].full;
        const double value = m_table->rows()[static_cast<std::size_t>(index.row())]
                                 .values[static_cast<std::size_t>(score)];
        painter.setFont(theme.font(TextRole::Table));
        const double numbers = kNumberWidth * theme.scale();
        if (full > 0.0 && !std::isnan(value)) {
            const double room = std::max(rect.width() - numbers, 0.0);
            const double length =
                value > 0.0 ? std::max(1.0, std::round(std::min(value / full, 1.0) * room)) : 0.0;
            const bool subject = score == m_table->sortedColumn();
            painter.fillRect(QRectF(rect.x(), rect.center().y() - 6.0, length, 12.0),
                             subject ? theme.accent : theme.bar);
        }
        painter.setPen(theme.text);
        painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
    }

    ScoreTable* m_table;
};

/// Titles in bold; the one that is sorted by in the accent, with the direction.
class ScoreHeader : public QHeaderView
{
public:
    explicit ScoreHeader(ScoreTable* table) : QHeaderView(Qt::Horizontal, table), m_table(table)
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
        const bool sorted = section > 0 && section - 1 == m_table->sortedColumn();
        painter->save();
        painter->fillRect(rect, theme.surface);
        painter->fillRect(QRect(rect.x(), rect.bottom(), rect.width(), 1), theme.line2);
        painter->setFont(theme.bold(TextRole::Body));
        painter->setPen(sorted ? theme.accent : theme.text2);
        QString text = model()->headerData(section, Qt::Horizontal).toString();
        if (sorted)
            text += m_table->isRising() ? QStringLiteral(" \u25B2") : QStringLiteral(" \u25BC");
        painter->drawText(QRectF(rect).adjusted(kPadding, 0, -kPadding, 0),
                          Qt::AlignVCenter | (section == 0 ? Qt::AlignLeft : Qt::AlignRight), text);
        painter->restore();
    }

private:
    ScoreTable* m_table;
};

} // namespace

ScoreTable::ScoreTable(QWidget* parent) : QTableView(parent), m_cells(new Cells(this))
{
    setModel(m_cells);
    setItemDelegate(new ScoreDelegate(this));
    setHorizontalHeader(new ScoreHeader(this));
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setAccessibleName(tr("Scores of all heads"));
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        if (section > 0)
            emit columnChosen(section - 1);
    });
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { emit rowOpened(index.row()); });
    restyle();
}

void ScoreTable::restyle()
{
    const Theme theme = Theme::of(*this);
    verticalHeader()->setDefaultSectionSize(qRound(kRowHeight * theme.scale()));
    viewport()->update();
}

void ScoreTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (m_cells && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange))
        restyle();
}

const std::vector<ScoreColumn>& ScoreTable::columns() const
{
    return m_cells->columns;
}

const std::vector<ScoreRow>& ScoreTable::rows() const
{
    return m_cells->rows;
}

int ScoreTable::sortedColumn() const
{
    return m_cells->sorted;
}

bool ScoreTable::isRising() const
{
    return m_cells->rising;
}

void ScoreTable::setColumns(std::vector<ScoreColumn> columns)
{
    if (columns == m_cells->columns)
        return; // the table stays where it was scrolled to
    m_cells->replaceColumns(std::move(columns));
    share(viewport()->width());
}

void ScoreTable::setNameTitle(const QString& title)
{
    m_cells->nameTitle = title;
    horizontalHeader()->viewport()->update();
}

void ScoreTable::setRows(std::vector<ScoreRow> rows)
{
    m_setting = true;
    m_cells->fill(std::move(rows));
    m_setting = false;
    share(viewport()->width());
}

void ScoreTable::setSorted(int column, bool rising)
{
    if (column != m_cells->sorted || rising != m_cells->rising)
        scrollToTop();
    m_cells->sorted = column;
    m_cells->rising = rising;
    horizontalHeader()->viewport()->update();
    viewport()->update();
}

void ScoreTable::setCurrentRow(int row)
{
    m_setting = true;
    const QModelIndex index = m_cells->index(row, 0);
    const QString before = std::exchange(
        m_cells->currentName,
        index.isValid() ? m_cells->rows[static_cast<std::size_t>(row)].name : QString());
    setAutoScroll(false); // a new order shows its first rows, wherever the current one has gone
    setCurrentIndex(index);
    setAutoScroll(true);
    if (index.isValid() && !before.isEmpty() && before != m_cells->currentName)
        scrollTo(index);
    m_setting = false;
    viewport()->update();
}

/// The name and plain numbers take what they need, then words, and columns with bars share the
/// rest.
void ScoreTable::share(int width)
{
    const int count = m_cells->columnCount();
    if (count < 2 || width <= 0)
        return;
    const Theme theme = Theme::of(*this);
    const QFontMetrics titles(theme.bold(TextRole::Body));
    const bool noted = std::any_of(m_cells->rows.begin(), m_cells->rows.end(),
                                   [](const ScoreRow& row) { return !row.note.isEmpty(); });
    const bool worded = std::any_of(m_cells->rows.begin(), m_cells->rows.end(),
                                    [](const ScoreRow& row) { return !row.words.isEmpty(); });
    std::vector<int> least{
        qRound(((noted ? 96 : 60) + (worded ? kFewestWords : 0)) * theme.scale())};
    int barred = 0;
    int used = least.front();
    for (const ScoreColumn& column : m_cells->columns) {
        const QString title = column.title + (column.full > 0.0 ? QStringLiteral(" \u25BC") : "");
        least.push_back(std::max(titles.horizontalAdvance(title) + 2 * kPadding + 2,
                                 qRound(64 * theme.scale())));
        used += least.back();
        barred += column.full > 0.0 ? 1 : 0;
    }
    const int narrowest = used + style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2;
    if (minimumWidth() != narrowest)
        setMinimumWidth(narrowest);
    const int words = worded ? qRound((kWordsWidth - kFewestWords) * theme.scale()) : 0;
    const int more = std::clamp(width - used, 0, words);
    least.front() += more;
    const int spare = std::max(width - used - more, 0);
    for (int section = 0; section < count; ++section) {
        const bool bar =
            section > 0 && m_cells->columns[static_cast<std::size_t>(section - 1)].full > 0.0;
        setColumnWidth(section, least[static_cast<std::size_t>(section)] +
                                    (bar && barred > 0 ? spare / barred : 0));
    }
}

void ScoreTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    share(viewport()->width());
}

/// The scroll bar comes and goes with the rows.
void ScoreTable::updateGeometries()
{
    QTableView::updateGeometries();
    if (!m_sharing && m_cells) {
        m_sharing = true;
        share(viewport()->width());
        m_sharing = false;
    }
}

void ScoreTable::keyPressEvent(QKeyEvent* event)
{
    const int scores = static_cast<int>(m_cells->columns.size());
    const int to = sortedColumn() + (event->key() == Qt::Key_Right ? 1 : -1);
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (sideways && to >= 0 && to < scores)
        emit columnChosen(to);
    else if (event->key() == Qt::Key_Space)
        emit columnChosen(sortedColumn());
    else if (opens && currentRow() >= 0)
        emit rowOpened(currentRow());
    else if (!sideways)
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
