#pragma once

namespace headscope::app {

/// Parses the command line, runs the command and returns the exit status: 0 done, 1 failed, 2 wrong
/// usage. The only place that catches all exceptions: each becomes one line on standard error.
int runCommandLine(int argc, char** argv);

} // namespace headscope::app
