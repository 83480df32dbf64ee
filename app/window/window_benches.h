#pragma once

#include "app/commands/bench_options.h"

namespace headscope::app {

/// Measures the time from key to painted.
void benchKeystroke(const BenchOptions& options, CommandContext& context);
/// Measures the rendering of widgets.
void benchRendering(const BenchOptions& options, CommandContext& context);
/// Measures the way from a long text to its first map.
void benchLongText(const BenchOptions& options, CommandContext& context);
/// Measures how long pages block the UI thread.
void benchWindow(const BenchOptions& options, CommandContext& context);

} // namespace headscope::app
