#pragma once

#include "ui/widgets/arcs.h"

namespace headscope::ui {

/// Milliseconds of the fastest of several rounds on 900 x 1 000 pixels, text and bars included.
struct ArcsTimes
{
    double rest = 0.0;  ///< the whole picture after new weights
    double hover = 0.0; ///< another token in focus over the kept picture
    double naive = 0.0; ///< the same links, one antialiased QPainter path of 1 px each
    long long links = 0;
};

/// Causal patterns with a few strong keys a row, from a fixed seed; every link is kept.
ArcsContent benchmarkArcs(int tokens, int heads);

/// Needs a QGuiApplication. `naive` takes seconds: 0 rounds of it when not wanted.
ArcsTimes measureArcs(int tokens, int heads, int rounds, bool withNaive);

} // namespace headscope::ui
