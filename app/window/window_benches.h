#pragma once

#include "app/commands/bench_options.h"

namespace headscope::app {

void benchKeystroke(const BenchOptions& options, CommandContext& context); ///< key to painted
void benchRendering(const BenchOptions& options, CommandContext& context); ///< pictures of widgets
void benchWindow(const BenchOptions& options, CommandContext& context);    ///< how long pages block

} // namespace headscope::app
