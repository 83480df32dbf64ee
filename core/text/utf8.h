#pragma once

#include <cstddef>
#include <string_view>

namespace headscope {

/// One step through text that may be no valid UTF-8.
struct Utf8Character
{
    char32_t codePoint = 0; ///< meaningless when not valid
    std::size_t length = 0; ///< bytes; 1 for a byte that begins no valid character
    bool valid = false;
};

/// The character at byte `position` (less than text.size()). Overlong forms, surrogates and cut
/// characters are not valid.
Utf8Character utf8CharacterAt(std::string_view text, std::size_t position);

} // namespace headscope
