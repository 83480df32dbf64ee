#include "core/text/normalizers/charsmap.h"

#include "core/base/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

// A unit of the trie (Darts-clone) and its fields.
bool hasLeaf(std::uint32_t unit)
{
    return ((unit >> 8) & 1U) == 1;
}

std::uint32_t valueOf(std::uint32_t unit)
{
    return unit & 0x7FFFFFFFU;
}

/// Label with the highest bit set for leaves, so that these match no byte.
std::uint32_t labelOf(std::uint32_t unit)
{
    return unit & 0x800000FFU;
}

std::uint32_t offsetOf(std::uint32_t unit)
{
    return (unit >> 10) << ((unit & 0x200U) >> 6);
}

std::uint32_t littleEndian(std::string_view bytes)
{
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

void checkTexts(std::string_view texts, const std::string& where)
{
    constexpr std::size_t kLongest = 1024;
    std::size_t begin = 0;
    while (begin < texts.size()) {
        const std::size_t end = std::min(texts.find('\0', begin), texts.size());
        if (end - begin > kLongest)
            throw FormatError(fmt::format("the table of replacements holds one of {} bytes, but at "
                                          "most {} are allowed",
                                          end - begin, kLongest),
                              where);
        begin = end + 1;
    }
}

} // namespace

CharsMap CharsMap::parse(std::string_view bytes, const std::string& where)
{
    CharsMap map;
    if (bytes.empty())
        return map;
    const std::size_t size = bytes.size() < 4 ? 0 : littleEndian(bytes);
    if (size == 0 || size % 4 != 0 || size > bytes.size() - 4)
        throw FormatError(fmt::format("the table of replacements states a trie of {} bytes, but "
                                      "only {} are there",
                                      size, bytes.size() < 4 ? 0 : bytes.size() - 4),
                          where);
    map.m_units.reserve(size / 4);
    for (std::size_t at = 4; at < 4 + size; at += 4)
        map.m_units.push_back(littleEndian(bytes.substr(at)));
    map.m_texts = bytes.substr(4 + size);
    checkTexts(map.m_texts, where);
    return map;
}

std::optional<CharsMap::Match> CharsMap::prefix(std::string_view text, bool longest) const
{
    std::optional<Match> found;
    if (m_units.empty())
        return found;
    std::uint32_t node = offsetOf(m_units[0]);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        node ^= byte;
        if (byte == 0 || node >= m_units.size() || labelOf(m_units[node]) != byte)
            break;
        const std::uint32_t unit = m_units[node];
        node ^= offsetOf(unit);
        if (!hasLeaf(unit))
            continue;
        const std::uint32_t place = node < m_units.size() ? valueOf(m_units[node]) : UINT32_MAX;
        if (place >= m_texts.size())
            break;
        const std::string_view rest = std::string_view(m_texts).substr(place);
        found = Match{at + 1, rest.substr(0, rest.find('\0'))};
        if (!longest)
            break;
    }
    return found;
}

} // namespace headscope
