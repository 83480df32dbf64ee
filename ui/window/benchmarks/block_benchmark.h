#pragma once

#include "ui/window/benchmarks/window_benchmark.h"

namespace headscope::ui {

struct BlockBenchmarkOptions
{
    std::string model;                ///< empty: the first of ApplicationServices::builtinModels
    std::vector<int> tokens{64, 512}; ///< of the texts, at most as many as the model can take
    std::vector<std::string> pages;   ///< empty: all
    QSize size{1440, 900};
};

/// The longest time that the event loop did not come round, of one action on one page. An action
/// lasts until its answers have arrived and the window is at rest.
struct BlockTiming
{
    std::string model;
    std::string page;
    std::string action;
    int tokens = 0;
    int turns = 0;          ///< of the event loop, with something to do
    double longestMs = 0.0; ///< on the clock: other programs of a busy machine count too
    double cpuMs = 0.0;     ///< of the GUI thread alone, in its longest turn
};

/// Drives a real window through its pages: typing, heads, pairs, pointer, arrows, A, B and the
/// difference. Creates the QApplication, as runKeystrokeBenchmark does. Throws Error.
std::vector<BlockTiming> runBlockBenchmark(int& argc, char** argv, ApplicationServices services,
                                           const BlockBenchmarkOptions& options);

} // namespace headscope::ui
