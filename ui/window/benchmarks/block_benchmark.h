#pragma once

#include "ui/window/benchmarks/window_benchmark.h"

namespace headscope::ui {

struct BlockBenchmarkOptions
{
    std::string model; ///< Model to open; empty: the first of ApplicationServices::builtinModels.
    std::vector<int> tokens{64, 512}; ///< Lengths of the texts, limited to the model's context.
    std::vector<std::string> pages;   ///< Names of the pages to measure; empty: all.
    QSize size{1440, 900};
    /// Seconds to wait after an action for what other threads compute.
    int wait = 120;
};

/// Longest UI-thread stall of one action on one page. An action lasts until its answers have
/// arrived and the window is idle, or until the time to wait is over.
struct BlockTiming
{
    std::string model;
    std::string page;
    std::string action;
    int tokens = 0;
    int turns = 0; ///< Number of event-loop turns that had work to do.
    /// Longest turn in wall-clock ms; includes other programs on a busy machine.
    double longestMs = 0.0;
    double cpuMs = 0.0; ///< CPU time in ms of the GUI thread in its longest turn.
    bool idle = true;   ///< False when other threads were still computing at the end of the wait.
};

/// Drives a real window through its pages: typing, heads, pairs, pointer, arrow keys, A, B and the
/// difference. Creates the QApplication, as runKeystrokeBenchmark does. Throws Error.
std::vector<BlockTiming> runBlockBenchmark(int& argc, char** argv, ApplicationServices services,
                                           const BlockBenchmarkOptions& options);

} // namespace headscope::ui
