#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <string_view>
#include <vector>

namespace headscope {

/// Splits text into words as GPT-2 does (Radford et al. 2019; the pattern of its published
/// encoder):
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// One pass, linear time. A byte of invalid UTF-8 counts as a character that is neither letter,
/// number nor space. The words cover the text without gaps.
std::vector<ByteRange> splitWords(std::string_view text);

} // namespace headscope
