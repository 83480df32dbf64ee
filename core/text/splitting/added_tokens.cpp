#include "core/text/splitting/added_tokens.h"

#include "core/base/error.h"
#include "core/text/utf8.h"

#include <unicode/uchar.h>

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

bool isSpace(const Utf8Character& character)
{
    return character.valid && u_isUWhiteSpace(static_cast<UChar32>(character.codePoint)) != 0;
}

/// True for characters that match \w of a regular expression.
bool isWordCharacter(const Utf8Character& character)
{
    const auto c = static_cast<UChar32>(character.codePoint);
    return character.valid &&
           (u_isUAlphabetic(c) != 0 ||
            (U_GET_GC_MASK(c) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0 || c == 0x200C ||
            c == 0x200D);
}

/// Character that ends at byte `end`, which is not 0.
Utf8Character characterBefore(std::string_view text, std::size_t end)
{
    for (std::size_t length = 1; length <= std::min<std::size_t>(4, end); ++length) {
        const Utf8Character character = utf8CharacterAt(text.substr(0, end), end - length);
        if (character.valid && character.length == length)
            return character;
    }
    return {0, 1, false};
}

bool touchesWord(std::string_view text, ByteRange bytes)
{
    return (bytes.begin > 0 && isWordCharacter(characterBefore(text, bytes.begin))) ||
           (bytes.end < text.size() && isWordCharacter(utf8CharacterAt(text, bytes.end)));
}

std::size_t beginOfSpaces(std::string_view text, std::size_t least, std::size_t begin)
{
    while (begin > least && isSpace(characterBefore(text, begin)))
        begin -= characterBefore(text, begin).length;
    return begin;
}

std::size_t endOfSpaces(std::string_view text, std::size_t end)
{
    while (end < text.size() && isSpace(utf8CharacterAt(text, end)))
        end += utf8CharacterAt(text, end).length;
    return end;
}

} // namespace

AddedTokenFinder::AddedTokenFinder(const std::vector<AddedToken>& tokens)
{
    for (const AddedToken& token : tokens) {
        if (token.content.empty())
            throw Error(fmt::format("the added token with id {} is empty", token.id));
        if (token.content.size() > kMaxLength)
            throw Error(fmt::format("the added token with id {} is longer than {} bytes", token.id,
                                    kMaxLength));
        insert(token);
    }
}

void AddedTokenFinder::insert(const AddedToken& token)
{
    std::uint32_t node = 0;
    for (const char byte : token.content) {
        if (const std::uint32_t* next = child(node, byte); next != nullptr) {
            node = *next;
            continue;
        }
        const auto created = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes[node].children.emplace_back(byte, created);
        m_nodes.emplace_back();
        node = created;
    }
    m_nodes[node].token = static_cast<std::int32_t>(m_tokens.size());
    m_tokens.push_back(token);
}

const std::uint32_t* AddedTokenFinder::child(std::uint32_t node, char byte) const
{
    for (const auto& [key, next] : m_nodes[node].children) {
        if (key == byte)
            return &next;
    }
    return nullptr;
}

AddedTokenFinder::Found AddedTokenFinder::longestAt(std::string_view text, std::size_t begin) const
{
    Found best{{begin, begin}, nullptr};
    const std::uint32_t* node = child(0, text[begin]);
    for (std::size_t end = begin + 1; node != nullptr; ++end) {
        if (const std::int32_t token = m_nodes[*node].token; token >= 0)
            best = {{begin, end}, &m_tokens[static_cast<std::size_t>(token)]};
        node = end < text.size() ? child(*node, text[end]) : nullptr;
    }
    return best;
}

std::vector<AddedTokenFinder::Piece> AddedTokenFinder::split(std::string_view text) const
{
    std::vector<Piece> pieces;
    std::size_t plainBegin = 0;
    const auto flush = [&](std::size_t end) {
        if (end > plainBegin)
            pieces.push_back({{plainBegin, end}, -1});
    };
    for (std::size_t begin = 0; begin < text.size();) {
        Found found = longestAt(text, begin);
        if (found.token == nullptr) {
            ++begin;
            continue;
        }
        begin = found.bytes.end;
        if (found.token->singleWord && touchesWord(text, found.bytes))
            continue;
        if (found.token->takesSpaceBefore)
            found.bytes.begin = beginOfSpaces(text, plainBegin, found.bytes.begin);
        if (found.token->takesSpaceAfter)
            found.bytes.end = endOfSpaces(text, found.bytes.end);
        flush(found.bytes.begin);
        pieces.push_back({found.bytes, found.token->id});
        begin = plainBegin = found.bytes.end;
    }
    flush(text.size());
    return pieces;
}

} // namespace headscope
