#pragma once

#include "app/commands/command.h"

#include <string>

namespace headscope::app {

/// Prints `headscope train --list`: tasks and experiments, a line each, or one JSON object.
void listTraining(bool json);

struct ExperimentOptions
{
    std::string name;
    std::string output;
    std::string device = "auto";
    bool json = false;
};

/// Runs `headscope train --experiment NAME`: trains its variants alternately; prints the
/// conclusion, or a JSON object per line of progress with the result as the last.
void trainExperiment(const ExperimentOptions& options, CommandContext& context);

} // namespace headscope::app
