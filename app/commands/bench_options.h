#pragma once

#include "app/commands/bench_tables.h"
#include "app/commands/command.h"

namespace headscope::app {

struct BenchOptions
{
    std::string what;
    std::string model;
    std::string device = "auto";
    int rounds = 5;
    std::int64_t processes = 4;
    std::vector<int> tokens;
    std::vector<std::string> pages;
    bool json = false;
};

/// One of the things that `headscope bench` measures; a new one is a row of such a table.
struct Bench
{
    const char* name;
    void (*measure)(const BenchOptions& options, CommandContext& context);
};

/// On standard output, as a table or as JSON.
void show(const BenchOptions& options, const BenchTable& table);

/// What each keystroke costs the model, without a window.
BenchTable measureKeystrokes(const BenchOptions& options, CommandContext& context);

} // namespace headscope::app
