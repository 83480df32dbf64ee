#pragma once

#include "app/commands/command.h"

#include <string>

namespace headscope::app {

/// `headscope train --list`: tasks and experiments, a line each, or one JSON object.
void listTraining(bool json);

struct ExperimentOptions
{
    std::string name;
    std::string output;
    std::string device = "auto";
    bool json = false;
};

/// `headscope train --experiment NAME`: trains its variants in turns; prints the conclusion, or a
/// JSON object a line of progress and the result as the last.
void trainExperiment(const ExperimentOptions& options, CommandContext& context);

} // namespace headscope::app
