#include "ui/pages/head/mean_distances.h"

#include "core/analysis/scores/pattern_scores.h"
#include "core/analysis/scores/undefined.h"
#include "ui/pages/shared/maps/shown_pattern.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

} // namespace

bool haveDistances(const ViewSnapshot& view)
{
    return view.trace() && view.selection.part != AttentionKind::Cross &&
           (view.shown != Variant::Difference || view.isComparable());
}

double headDistance(const ViewSnapshot& view, Variant variant, GridCell head)
{
    const ShownPattern shown = shownPattern(view, variant, head);
    if (shown.matrix.isEmpty() || shown.matrix.rows != shown.matrix.columns)
        return kUndefined;
    return meanDistance({shown.matrix.values.get(), {shown.matrix.rows, shown.matrix.columns}})
        .mean;
}

void MeanDistances::start(const ViewSnapshot& view)
{
    const ViewKey::TraceId a{view.a};
    const ViewKey::TraceId b{view.b};
    const bool same = m_a == a && m_b == b && m_shown == view.shown &&
                      m_part == view.selection.part && m_display == view.display;
    if (same)
        return;
    m_a = a;
    m_b = b;
    m_shown = view.shown;
    m_part = view.selection.part;
    m_display = view.display;
    const bool possible = haveDistances(view);
    m_layers = possible ? view.trace()->layerCount(m_part) : 0;
    m_heads = possible ? view.trace()->headCount(m_part) : 0;
    m_values.assign(static_cast<std::size_t>(m_layers) * static_cast<std::size_t>(m_heads),
                    kUndefined);
    m_before.clear();
    if (m_shown == Variant::Difference)
        m_before = m_values;
    m_next = 0;
}

void MeanDistances::step(const ViewSnapshot& view)
{
    if (isDone())
        return;
    const int at = static_cast<int>(m_next);
    const GridCell head{at / m_heads, at % m_heads};
    if (m_shown == Variant::Difference) {
        m_before[m_next] = headDistance(view, Variant::A, head);
        m_values[m_next] = headDistance(view, Variant::B, head) - m_before[m_next];
    } else {
        m_values[m_next] = headDistance(view, m_shown, head);
    }
    ++m_next;
}

double MeanDistances::valueOf(const std::vector<double>& values, GridCell head) const
{
    if (values.empty() || head.layer < 0 || head.layer >= m_layers || head.head < 0 ||
        head.head >= m_heads)
        return kUndefined;
    return values[static_cast<std::size_t>(head.layer * m_heads + head.head)];
}

double MeanDistances::at(GridCell head) const
{
    return valueOf(m_values, head);
}

double MeanDistances::before(GridCell head) const
{
    return valueOf(m_before, head);
}

double MeanDistances::largest() const
{
    double largest = 0.0;
    for (const double value : m_values)
        largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
    return largest;
}

} // namespace headscope::ui
