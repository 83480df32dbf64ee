#pragma once

#include "ui/widgets/arcs/arcs.h"

namespace headscope::ui {

/// Milliseconds, medians of ArcsWidget on 900 x 1 000 pixels, text and bars included.
struct ArcsTimes
{
    double rest = 0.0;  ///< the whole picture after new weights
    double hover = 0.0; ///< another token under the pointer
    double naive = 0.0; ///< the same links, one antialiased QPainter path of 1 px each
    long long links = 0;
};

/// Causal patterns with a few strong keys a row, from a fixed seed; every link is kept.
ArcsContent benchmarkArcs(int tokens, int heads);

/// Needs a QApplication. `naive` takes seconds: no round of it when not wanted.
ArcsTimes measureArcs(int tokens, int heads, int rounds, bool withNaive);

} // namespace headscope::ui
