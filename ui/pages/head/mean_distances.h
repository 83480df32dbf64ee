#pragma once

#include "ui/pages/shared/maps/content_source.h"

#include <vector>

namespace headscope::ui {

/// True where queries and keys are tokens of one text and the shown variant exists.
bool haveDistances(const ViewSnapshot& view);

/// Mean distance of every head of the active attention, or B minus A. Computed head by head, so
/// that a page can stop between them. Keeps no trace in memory.
class MeanDistances
{
public:
    void start(const ViewSnapshot& view); ///< keeps the values of the same trace

    bool isDone() const { return m_next >= m_values.size(); }

    void step(const ViewSnapshot& view); ///< the next head

    int layers() const { return m_layers; }

    int heads() const { return m_heads; }

    double at(GridCell head) const; ///< NaN while not computed or not defined

    double before(GridCell head) const; ///< A's distance where B minus A is shown; else NaN

    double largest() const; ///< largest magnitude; 0 without values

private:
    double valueOf(const std::vector<double>& values, GridCell head) const;

    ViewKey::TraceId m_a, m_b;
    Variant m_shown = Variant::A;
    AttentionKind m_part = AttentionKind::Self;
    TokenDisplay m_display;
    int m_layers = 0;
    int m_heads = 0;
    std::size_t m_next = 0;
    std::vector<double> m_values; ///< [layers][heads]
    std::vector<double> m_before; ///< [layers][heads], A's under B minus A; else empty
};

/// sum A |i - j| / sum A of one head as shown; NaN without such a head.
double headDistance(const ViewSnapshot& view, Variant variant, GridCell head);

} // namespace headscope::ui
