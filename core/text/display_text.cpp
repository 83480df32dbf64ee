#include "core/text/display_text.h"

#include "core/text/utf8.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

namespace headscope {

namespace {

/// Unicode symbol of a control character: U+2400 and following for those below U+0020, U+2421 for
/// DELETE.
std::string controlImage(char32_t control)
{
    const unsigned low = control == 0x7F ? 0x21U : static_cast<unsigned>(control);
    return {'\xE2', '\x90', static_cast<char>(0x80 + low)};
}

/// True for characters that are invisible themselves, or reorder and hide their neighbours.
bool isInvisible(char32_t codePoint)
{
    const auto mask = U_GET_GC_MASK(static_cast<UChar32>(codePoint));
    return (mask & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK)) != 0;
}

} // namespace

std::string displayText(std::string_view tokenBytes)
{
    constexpr std::string_view kMiddleDot = "\u00B7";
    const bool onlySpaces = tokenBytes.find_first_not_of(' ') == std::string_view::npos;
    std::string shown;
    for (std::size_t position = 0; position < tokenBytes.size();) {
        const Utf8Character character = utf8CharacterAt(tokenBytes, position);
        const std::string_view bytes = tokenBytes.substr(position, character.length);
        if (!character.valid)
            shown += fmt::format("<0x{:02X}>", static_cast<unsigned char>(bytes[0]));
        else if (onlySpaces)
            shown += kMiddleDot;
        else if (character.codePoint < 0x20 || character.codePoint == 0x7F)
            shown += controlImage(character.codePoint);
        else if (isInvisible(character.codePoint))
            shown += fmt::format("<U+{:04X}>", static_cast<unsigned>(character.codePoint));
        else
            shown += bytes;
        position += character.length;
    }
    return shown;
}

} // namespace headscope
