#pragma once

#include "ui/session/view_snapshot.h"

#include <vector>

namespace headscope::ui {

/// Queries and keys are tokens of one text, and what is shown exists.
bool haveDistances(const ViewSnapshot& view);

/// Mean distance of all heads of the active part, or what B adds to it. Computed head by head, so
/// that a page can stop between them.
class MeanDistances
{
public:
    void start(const ViewSnapshot& view); ///< keeps what is known of the same picture

    bool isDone() const { return m_next >= m_values.size(); }

    void step(const ViewSnapshot& view); ///< the next head

    int layers() const { return m_layers; }

    int heads() const { return m_heads; }

    double at(GridCell head) const; ///< NaN while not computed, or not defined

    double largest() const; ///< magnitude; 0 without any

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
