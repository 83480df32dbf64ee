#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// SentencePiece's precompiled table of replacements: a double-array trie of byte strings and the
/// texts that take their place.
class CharsMap
{
public:
    CharsMap() = default;

    /// `bytes`: the size of the trie in bytes, the trie as 32-bit units, texts that end with NUL;
    /// little-endian. Throws FormatError, which names `where`; nothing outside is ever read.
    static CharsMap parse(std::string_view bytes, const std::string& where);

    bool isEmpty() const { return m_units.empty(); }

    struct Match
    {
        std::size_t length = 0;       ///< bytes that are replaced
        std::string_view replacement; ///< lives as long as the map
    };

    /// The longest entry that `text` begins with, or the shortest.
    std::optional<Match> longestPrefix(std::string_view text) const { return prefix(text, true); }

    std::optional<Match> shortestPrefix(std::string_view text) const { return prefix(text, false); }

private:
    std::optional<Match> prefix(std::string_view text, bool longest) const;

    std::vector<std::uint32_t> m_units;
    std::string m_texts;
};

} // namespace headscope
