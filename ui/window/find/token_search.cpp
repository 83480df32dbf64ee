#include "ui/window/find/token_search.h"

#include "core/text/utf8.h"

#include <QChar>

#include <algorithm>

namespace headscope::ui {

namespace {

/// Text without case, with the byte at which each of its characters begins.
struct FoldedText
{
    std::u32string characters;
    std::vector<std::size_t> bytes;

    explicit FoldedText(std::string_view text)
    {
        constexpr char32_t kInvalid = 0x110000; // beyond Unicode: bytes that are no character
        for (std::size_t position = 0; position < text.size();) {
            const Utf8Character next = utf8CharacterAt(text, position);
            const char32_t own = kInvalid + static_cast<unsigned char>(text[position]);
            characters.push_back(next.valid ? QChar::toCaseFolded(next.codePoint) : own);
            bytes.push_back(position);
            position += next.length;
        }
    }
};

} // namespace

std::vector<int> findInTokens(const TokenSequence& tokens, const QString& wanted)
{
    const FoldedText text(tokens.text);
    const FoldedText sought(wanted.toStdString());
    std::vector<int> matches;
    if (sought.characters.empty())
        return matches;
    std::size_t token = 0;
    for (std::size_t at = text.characters.find(sought.characters); at != std::u32string::npos;
         at = text.characters.find(sought.characters, at + 1)) {
        const std::size_t byte = text.bytes[at];
        while (token < tokens.size() && tokens.tokens[token].bytes.end <= byte)
            ++token;
        if (token == tokens.size()) // truncated text
            break;
        if (matches.empty() || matches.back() != static_cast<int>(token))
            matches.push_back(static_cast<int>(token));
    }
    return matches;
}

int nextMatch(const std::vector<int>& matches, int token, bool backwards)
{
    if (matches.empty())
        return -1;
    if (backwards) {
        const auto found = std::lower_bound(matches.begin(), matches.end(), token);
        return found == matches.begin() ? matches.back() : *std::prev(found);
    }
    const auto found = std::upper_bound(matches.begin(), matches.end(), token);
    return found == matches.end() ? matches.front() : *found;
}

} // namespace headscope::ui
