#include "ui/pages/head/mean_distances.h"

#include "core/analysis/scores/pattern_scores.h"
#include "ui/pages/shared/maps/shown_pattern.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

} // namespace

bool haveDistances(const Looking& looking)
{
    return looking.trace() && looking.selection.part != AttentionKind::Cross &&
           (looking.shown != Variant::Difference || looking.isComparable());
}

double headDistance(const Looking& looking, Variant variant, GridCell head)
{
    const ShownPattern shown = shownPattern(looking, variant, head);
    if (shown.matrix.isEmpty() || shown.matrix.rows != shown.matrix.columns)
        return kUndefined;
    return meanDistance({shown.matrix.values.get(), {shown.matrix.rows, shown.matrix.columns}})
        .mean;
}

void MeanDistances::start(const Looking& looking)
{
    const bool same = m_a == looking.a && m_b == looking.b && m_shown == looking.shown &&
                      m_part == looking.selection.part && m_display == looking.display;
    if (same)
        return;
    m_a = looking.a;
    m_b = looking.b;
    m_shown = looking.shown;
    m_part = looking.selection.part;
    m_display = looking.display;
    const bool possible = haveDistances(looking);
    m_layers = possible ? looking.trace()->layerCount(m_part) : 0;
    m_heads = possible ? looking.trace()->headCount(m_part) : 0;
    m_values.assign(static_cast<std::size_t>(m_layers) * static_cast<std::size_t>(m_heads),
                    kUndefined);
    m_next = 0;
}

void MeanDistances::step(const Looking& looking)
{
    if (isDone())
        return;
    const int at = static_cast<int>(m_next);
    const GridCell head{at / m_heads, at % m_heads};
    if (m_shown == Variant::Difference)
        m_values[m_next] =
            headDistance(looking, Variant::B, head) - headDistance(looking, Variant::A, head);
    else
        m_values[m_next] = headDistance(looking, m_shown, head);
    ++m_next;
}

double MeanDistances::at(GridCell head) const
{
    if (head.layer < 0 || head.layer >= m_layers || head.head < 0 || head.head >= m_heads)
        return kUndefined;
    return m_values[static_cast<std::size_t>(head.layer * m_heads + head.head)];
}

double MeanDistances::largest() const
{
    double largest = 0.0;
    for (const double value : m_values)
        largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
    return largest;
}

} // namespace headscope::ui
