#pragma once

#include <string>
#include <vector>

namespace headscope::ui {

/// One picture drawn as the window does it, beside the obvious way to draw it, in the same run.
/// Data change before every picture.
struct RenderTiming
{
    std::string name;      ///< "heads 30x32"
    std::string picture;   ///< what is drawn how large
    std::string naive;     ///< the obvious way
    double medianMs = 0.0; ///< ours
    double naiveMs = 0.0;
    double barMs = 0.0; ///< what it may take on the machine that the design was measured on

    double ratio() const { return naiveMs / medianMs; }
};

/// Head grids, a large map, arcs, positions and a loss chart. Needs a QApplication.
std::vector<RenderTiming> benchmarkRendering(int rounds);

} // namespace headscope::ui
