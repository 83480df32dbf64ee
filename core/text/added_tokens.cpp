#include "core/text/added_tokens.h"

#include "core/base/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

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
    m_nodes[node].id = token.id;
}

const std::uint32_t* AddedTokenFinder::child(std::uint32_t node, char byte) const
{
    for (const auto& [key, next] : m_nodes[node].children) {
        if (key == byte)
            return &next;
    }
    return nullptr;
}

AddedTokenFinder::Piece AddedTokenFinder::longestAt(std::string_view text, std::size_t begin) const
{
    Piece best{{begin, begin}, -1};
    const std::uint32_t* node = child(0, text[begin]);
    for (std::size_t end = begin + 1; node != nullptr; ++end) {
        if (m_nodes[*node].id >= 0)
            best = {{begin, end}, m_nodes[*node].id};
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
        const Piece found = longestAt(text, begin);
        if (found.id < 0) {
            ++begin;
            continue;
        }
        flush(begin);
        pieces.push_back(found);
        begin = plainBegin = found.bytes.end;
    }
    flush(text.size());
    return pieces;
}

} // namespace headscope
