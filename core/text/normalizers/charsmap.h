#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// SentencePiece's precompiled table of replacements: a double-array trie that maps byte strings to
/// replacement texts.
class CharsMap
{
public:
    CharsMap() = default;

    /// Parses `bytes`: the size of the trie in bytes, the trie as 32-bit units, texts that end with
    /// NUL; little-endian. Throws FormatError, naming `where`; never reads outside.
    static CharsMap parse(std::string_view bytes, const std::string& where);

    struct Match
    {
        std::size_t length = 0;       ///< Bytes that are replaced.
        std::string_view replacement; ///< Valid as long as the map.
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
