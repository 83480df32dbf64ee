#include "ui/pages/compare/ranked_table.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::ui {

RankedTable::RankedTable(const QString& title, const QString& name,
                         std::vector<ScoreColumn> columns, QWidget* parent)
    : QWidget(parent)
    , m_note(new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text3, this))
    , m_table(new ScoreTable(this))
    , m_columns(std::move(columns))
{
    m_note->setObjectName("note");
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_note->hide();
    m_table->setAccessibleName(title);
    m_table->setNameTitle(name);
    m_table->setRowsAreHeads(false);
    m_table->setColumns(m_columns);
    columnOf(4, {heading(title, this), m_note, {m_table, 1}}, this);
    connect(m_table, &ScoreTable::columnChosen, this, &RankedTable::sortBy);
    connect(m_table, &ScoreTable::rowActivated, this, [this](int shown) {
        m_current = m_order[static_cast<std::size_t>(shown)];
        emit rowActivated(m_current);
    });
    connect(m_table, &ScoreTable::rowOpened, this,
            [this](int shown) { emit rowOpened(m_order[static_cast<std::size_t>(shown)]); });
}

void RankedTable::setRows(std::vector<ScoreRow> rows)
{
    m_rows = std::move(rows);
    scaleBars();
    fill();
}

void RankedTable::setCurrent(int row)
{
    m_current = row;
    const auto found = std::ranges::find(m_order, row);
    m_table->setCurrentRow(found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin()));
}

void RankedTable::setNote(const QString& note, const QString& toolTip)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_note->setToolTip(toolTip.isEmpty() ? note : toolTip);
}

void RankedTable::scaleBars()
{
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        if (m_columns[column].full <= 0.0)
            continue;
        double largest = 0.0;
        for (const ScoreRow& row : m_rows)
            if (std::isfinite(row.values[column]))
                largest = std::max(largest, row.values[column]);
        m_columns[column].full = largest > 0.0 ? largest : 1.0;
    }
    m_table->setColumns(m_columns);
}

/// The sort column again reverses the order.
void RankedTable::sortBy(int column)
{
    const bool isRising = column == m_table->sortedColumn() && !m_table->isRising();
    m_table->setSorted(column, isRising);
    fill();
}

/// Undefined numbers are last in either order, equal ones in the order of the rows.
void RankedTable::fill()
{
    m_order.resize(m_rows.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    const auto column = static_cast<std::size_t>(m_table->sortedColumn());
    const bool isRising = m_table->isRising();
    std::ranges::stable_sort(m_order, [&](int one, int other) {
        const double first = m_rows[static_cast<std::size_t>(one)].values[column];
        const double second = m_rows[static_cast<std::size_t>(other)].values[column];
        if (std::isnan(first) || std::isnan(second))
            return std::isnan(second) && !std::isnan(first);
        return isRising ? first < second : first > second;
    });
    std::vector<ScoreRow> shown;
    for (const int row : m_order)
        shown.push_back(m_rows[static_cast<std::size_t>(row)]);
    m_table->setRows(std::move(shown));
    setCurrent(m_current);
}

} // namespace headscope::ui
