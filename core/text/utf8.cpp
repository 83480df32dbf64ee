#include "core/text/utf8.h"

namespace headscope {

namespace {

/// Length announced by a first byte; 0 for one that begins no character (RFC 3629).
std::size_t announcedLength(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return 2;
    if (first >= 0xE0 && first <= 0xEF)
        return 3;
    return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/// Checks well-formed 3- and 4-byte forms: neither overlong, nor a surrogate, nor beyond U+10FFFF.
bool isScalarOfLength(char32_t codePoint, std::size_t length)
{
    if (length == 3)
        return codePoint >= 0x800 && (codePoint < 0xD800 || codePoint > 0xDFFF);
    return length != 4 || (codePoint >= 0x10000 && codePoint <= 0x10FFFF);
}

} // namespace

Utf8Character utf8CharacterAt(std::string_view text, std::size_t position)
{
    constexpr Utf8Character kInvalid{0, 1, false};
    const auto first = static_cast<unsigned char>(text[position]);
    const std::size_t length = announcedLength(first);
    if (length == 1)
        return {first, 1, true};
    if (length == 0 || length > text.size() - position)
        return kInvalid;
    char32_t codePoint = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[position + i]);
        if ((byte & 0xC0) != 0x80)
            return kInvalid;
        codePoint = codePoint << 6 | (byte & 0x3FU);
    }
    return isScalarOfLength(codePoint, length) ? Utf8Character{codePoint, length, true} : kInvalid;
}

} // namespace headscope
