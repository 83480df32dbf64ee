#pragma once

#include "core/generate/sampling.h"
#include "core/model/pass/tracer.h"

#include <functional>
#include <string>
#include <vector>

namespace headscope::ui {

/// Tokens that together are whole characters, or none with the reason.
struct DrawnCharacter
{
    std::vector<TokenId> ids;
    std::string bytes;
    bool isWhole = false;
};

bool isWholeText(std::string_view bytes); ///< valid UTF-8

/// Byte-level vocabularies have tokens that are a part of a character. Draws on after `first`, with
/// runs of its own on the tokens' ids, until the new bytes are whole characters; at most a few
/// tokens. `draw` gives the number in [0, 1) of the n-th token after `first`. Not on the GUI
/// thread.
DrawnCharacter finishCharacter(const LoadedModel& model, const TokenSequence& before, TokenId first,
                               const SamplingSettings& settings,
                               const std::function<double(int)>& draw);

} // namespace headscope::ui
