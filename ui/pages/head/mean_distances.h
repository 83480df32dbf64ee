#pragma once

#include "ui/session/view_snapshot.h"

#include <vector>

namespace headscope::ui {

/// True where queries and keys are tokens of one text and the shown variant exists.
bool haveDistances(const ViewSnapshot& view);

/// Mean distance of every head of the active attention, or B minus A. Computed head by head, so
/// that a page can stop between them.
class MeanDistances
{
public:
    void start(const ViewSnapshot& view); ///< keeps the values of the same trace

    bool isDone() const { return m_next >= m_values.size(); }

    void step(const ViewSnapshot& view); ///< the next head

    int layers() const { return m_layers; }

    int heads() const { return m_heads; }

    double at(GridCell head) const; ///< NaN while not computed or not defined

    double largest() const; ///< largest magnitude; 0 without values

private:
    TracePtr m_a, m_b;
    Variant m_shown = Variant::A;
    AttentionKind m_part = AttentionKind::Self;
    TokenDisplay m_display;
    int m_layers = 0;
    int m_heads = 0;
    std::size_t m_next = 0;
    std::vector<double> m_values; ///< [layers][heads]
};

/// sum A |i - j| / sum A of one head as shown; NaN without such a head.
double headDistance(const ViewSnapshot& view, Variant variant, GridCell head);

} // namespace headscope::ui
