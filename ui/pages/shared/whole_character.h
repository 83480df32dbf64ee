#pragma once

#include "core/generate/sampling.h"
#include "core/model/pass/tracer.h"

#include <functional>
#include <string>
#include <vector>

namespace headscope::ui {

/// Tokens that together form whole characters, or none with the reason.
struct DrawnCharacter
{
    std::vector<TokenId> ids;
    std::string bytes;
    bool isWhole = false;
};

bool isWholeText(std::string_view bytes); ///< True for valid UTF-8.

/// Completes characters for byte-level vocabularies, in which a token can be part of a character.
/// Samples further tokens after `first`, with forward passes on the token ids, until the new bytes
/// form whole characters; at most a few tokens. `draw` returns the number in [0, 1) for the n-th
/// token after `first`. Not on the GUI thread.
DrawnCharacter finishCharacter(const LoadedModel& model, const TokenSequence& before, TokenId first,
                               const SamplingSettings& settings,
                               const std::function<double(int)>& draw);

} // namespace headscope::ui
