// Where an entry of the position table comes from.
#include "ui/pages/positions/positions_figure.h"
#include "ui/pages/positions/positions_page.h"
#include "ui/pages/positions/positions_widgets.h"

namespace headscope::ui {

/// An entry of the table; without a place that of p in the first dimension.
MaybeNumber PositionsPage::numberAt(std::optional<QPoint> place) const
{
    if (isRelative(m_content.scheme) || m_content.scheme == PositionScheme::None)
        return std::nullopt;
    const auto inside = within(*m_plot, place);
    const auto entry = place ? (inside ? m_plot->entryAt(*inside) : std::nullopt)
                             : std::optional(HeatmapCell{0, m_content.position});
    if (!entry)
        return std::nullopt;
    if (m_content.scheme == PositionScheme::Learned) {
        NumberRef row = cellNumber({}, {entry->column, entry->row});
        row.kind = NumberRef::Kind::Parameter;
        row.name = learnedTableName(session().model());
        return ShownNumber{std::move(row), Run::A};
    }
    NumberRef wave = cellNumber({}, {entry->column, entry->row, m_content.table.dimensions});
    wave.kind = NumberRef::Kind::Sinusoid;
    wave.scale = m_content.base;
    return ShownNumber{std::move(wave), Run::A};
}

QString PositionsPage::noNumberWords() const
{
    return isRelative(m_content.scheme) ? tr("These curves follow from the formula above and the "
                                             "sliders alone. What they do "
                                             "to a score is traced on the page Query \u00B7 Key.")
                                        : tr("Choose an entry of the table first.");
}

} // namespace headscope::ui
