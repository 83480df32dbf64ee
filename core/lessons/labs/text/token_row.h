#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

class Tokenizer;

/// A token as a person reads it, with a middle dot for every space.
std::string spacesShown(std::string_view tokenBytes);

double bytesPerToken(std::size_t bytes, std::size_t tokens); ///< 0 without tokens

/// Tokens of a text as a row of a picture, the first 60 of them; the note says how many there
/// are and how many bytes each stands for. `asStored`: with the vocabulary's own marks.
LabTokens::Row tokenRow(std::string name, const Tokenizer& tokenizer, const std::string& text,
                        bool asStored);

} // namespace headscope
