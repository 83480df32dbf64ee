#pragma once

#include "app/commands/command.h"

#include <string>
#include <vector>

namespace headscope::app {

/// Request of `headscope inspect --model-b`: two models on one text.
struct DifferenceRequest
{
    std::string model;
    std::string modelB;
    std::string device;
    std::string text;
    std::string chat;               ///< File of a chat in place of the text; may be empty.
    std::string texts;              ///< File with one text a line, or kSampleTexts.
    std::vector<std::string> edits; ///< Edits of B's weights.
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
