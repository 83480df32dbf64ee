#pragma once

#include <cstddef>
#include <string_view>

namespace headscope {

/// One step through text that may be invalid UTF-8.
struct Utf8Character
{
    char32_t codePoint = 0; ///< Meaningless when not valid.
    std::size_t length = 0; ///< Length in bytes; 1 for a byte that begins no valid character.
    bool valid = false;
};

/// Character at byte `position` (less than text.size()). Overlong forms, surrogates and truncated
/// characters are not valid.
Utf8Character utf8CharacterAt(std::string_view text, std::size_t position);

} // namespace headscope
