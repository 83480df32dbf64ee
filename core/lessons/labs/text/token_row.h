#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

class Tokenizer;

/// Visible text of a token, with a middle dot for every space.
std::string spacesShown(std::string_view tokenBytes);

double bytesPerToken(std::size_t bytes, std::size_t tokens); ///< 0 without tokens.

/// Row of a text's first 60 tokens; the note gives their number and bytes per token. `asStored`
/// keeps the vocabulary's own marks.
LabTokens::Row tokenRow(std::string name, const Tokenizer& tokenizer, const std::string& text,
                        bool asStored);

} // namespace headscope
