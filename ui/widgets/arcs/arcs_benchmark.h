#pragma once

#include "ui/widgets/arcs/arcs.h"

namespace headscope::ui {

/// Median times of ArcsWidget in ms at 900 x 1 000 pixels, including text and bars.
struct ArcsTimes
{
    double rest = 0.0;  ///< Whole widget after new weights.
    double hover = 0.0; ///< Another hovered token.
    double naive = 0.0; ///< The same links, one antialiased QPainter path of 1 px each.
    long long links = 0;
};

/// Causal patterns with a few strong keys per row, from a fixed seed; every link is kept.
ArcsContent benchmarkArcs(int tokens, int heads);

/// Needs a QApplication. `naive` takes seconds and is skipped unless wanted.
ArcsTimes measureArcs(int tokens, int heads, int rounds, bool withNaive);

} // namespace headscope::ui
