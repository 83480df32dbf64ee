#pragma once

#include "app/commands/inspect_report.h"

#include <string>

namespace headscope::app {

/// Request of `headscope inspect --model-b`: two models on one text. The edits are of B's weights.
struct DifferenceRequest : InspectSource
{
    std::string modelB; ///< Empty: one model alone.
    std::string texts;  ///< File with one text a line, or kSampleTexts; empty: one text.
    bool json = false;
};

/// Prints heads, tokens and matrices by how far they moved from A to B, with a progress bar for the
/// weights; Ctrl+C stops it. Throws Error.
void inspectDifference(const DifferenceRequest& request, CommandContext& context);

/// Name that stands for the built-in sentences.
inline constexpr const char* kSampleTexts = "builtin:samples";

/// Prints the request's texts by how far the predictions of A and B differ, with a progress bar;
/// Ctrl+C stops it. Throws Error.
void rankTexts(const DifferenceRequest& request, CommandContext& context);

} // namespace headscope::app
