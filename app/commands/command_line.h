#pragma once

namespace headscope::app {

/// Reads the command line, runs what it asks for and returns the exit status: 0 done, 1 failed,
/// 2 wrong usage. The one place where exceptions end: each becomes one line on standard error.
int runCommandLine(int argc, char** argv);

} // namespace headscope::app
