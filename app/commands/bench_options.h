#pragma once

#include "app/commands/bench_tables.h"
#include "app/commands/command.h"

namespace headscope::app {

struct BenchOptions
{
    std::string what;
    std::string model;
    std::string device = "auto";
    std::string precision = "f32"; ///< decode --model, keystroke
    int rounds = 5;
    std::int64_t processes = 4;
    std::vector<int> tokens;
    std::vector<std::string> pages;
    int wait = 120; ///< window: seconds
    bool exact = false;
    bool json = false;
};

/// One benchmark of `headscope bench`; to add one, add a row to a list of these.
struct Bench
{
    const char* name;
    void (*measure)(const BenchOptions& options, CommandContext& context);
};

/// Prints to standard output, as columns or as JSON.
void show(const BenchOptions& options, const BenchTable& table);

/// Measures the model's time per keystroke, without a window.
BenchTable measureKeystrokes(const BenchOptions& options, CommandContext& context);

} // namespace headscope::app
