#include "core/text/tokenizers/byte_alphabet.h"

#include "core/text/utf8.h"

#include <algorithm>
#include <numeric>

namespace headscope {

namespace {

constexpr bool standsForItself(int byte)
{
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/// Two bytes of UTF-8 suffice, as all code points of the alphabet are below U+0144.
std::string encodeShort(char32_t codePoint)
{
    if (codePoint < 0x80)
        return std::string(1, static_cast<char>(codePoint));
    return {static_cast<char>(0xC0 | (codePoint >> 6)), static_cast<char>(0x80 | (codePoint & 63))};
}

struct Alphabet
{
    std::array<char32_t, 256> codePoints{};
    std::array<std::string, 256> symbols;
    std::array<std::uint8_t, 256> bySymbol{};
    std::array<int, 0x144> byteOf{};

    Alphabet()
    {
        byteOf.fill(-1);
        char32_t next = 0x100;
        for (int byte = 0; byte < 256; ++byte) {
            const auto index = static_cast<std::size_t>(byte);
            codePoints[index] = standsForItself(byte) ? static_cast<char32_t>(byte) : next++;
            symbols[index] = encodeShort(codePoints[index]);
            byteOf[codePoints[index]] = byte;
        }
        std::iota(bySymbol.begin(), bySymbol.end(), std::uint8_t{0});
        std::sort(bySymbol.begin(), bySymbol.end(),
                  [this](std::uint8_t a, std::uint8_t b) { return codePoints[a] < codePoints[b]; });
    }
};

const Alphabet& alphabet()
{
    static const Alphabet instance;
    return instance;
}

} // namespace

std::string_view byteSymbol(std::uint8_t byte)
{
    return alphabet().symbols[byte];
}

const std::array<std::uint8_t, 256>& bytesBySymbol()
{
    return alphabet().bySymbol;
}

std::string toByteSymbols(std::string_view bytes)
{
    std::string symbols;
    symbols.reserve(bytes.size() * 2);
    for (const char byte : bytes)
        symbols += byteSymbol(static_cast<std::uint8_t>(byte));
    return symbols;
}

std::optional<std::string> fromByteSymbols(std::string_view symbols)
{
    const auto& byteOf = alphabet().byteOf;
    std::string bytes;
    for (std::size_t position = 0; position < symbols.size();) {
        const Utf8Character character = utf8CharacterAt(symbols, position);
        if (!character.valid || character.codePoint >= byteOf.size() ||
            byteOf[character.codePoint] < 0)
            return std::nullopt;
        bytes += static_cast<char>(byteOf[character.codePoint]);
        position += character.length;
    }
    return bytes;
}

} // namespace headscope
