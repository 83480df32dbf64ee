#pragma once

#include <string>
#include <vector>

namespace headscope::ui {

/// Time to render one plot as the window does and the straightforward way, in the same process. The
/// data change before every frame.
struct RenderTiming
{
    std::string name;      ///< Benchmark name, such as "heads 30x32".
    std::string image;     ///< Contents and size of the plot.
    std::string naive;     ///< Description of the straightforward method.
    double medianMs = 0.0; ///< Median time of Headscope's renderer in ms.
    double naiveMs = 0.0;
    double barMs = 0.0; ///< Time limit in ms on the reference machine.

    double ratio() const { return naiveMs / medianMs; }
};

/// Benchmarks head grids, a large map, arcs, positions and a loss chart. Needs a QApplication.
std::vector<RenderTiming> benchmarkRendering(int rounds);

} // namespace headscope::ui
