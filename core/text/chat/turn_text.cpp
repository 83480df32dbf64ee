#include "core/text/chat/turn_text.h"

#include <algorithm>

namespace headscope {

TurnText::TurnText(std::string bytes, int turn) : m_bytes(std::move(bytes))
{
    mark({0, m_bytes.size()}, turn);
}

/// Marks bytes behind all that are marked.
void TurnText::mark(ByteRange bytes, int turn)
{
    if (turn == kTemplateTurn || bytes.begin == bytes.end)
        return;
    const bool goesOn =
        !m_turns.empty() && m_turns.back().turn == turn && m_turns.back().bytes.end == bytes.begin;
    if (goesOn)
        m_turns.back().bytes.end = bytes.end;
    else
        m_turns.push_back({bytes, turn});
}

std::vector<TurnRange> TurnText::pieces() const
{
    std::vector<TurnRange> pieces;
    std::size_t at = 0;
    for (const TurnRange& range : m_turns) {
        if (at < range.bytes.begin)
            pieces.push_back({{at, range.bytes.begin}, kTemplateTurn});
        pieces.push_back(range);
        at = range.bytes.end;
    }
    if (at < size())
        pieces.push_back({{at, size()}, kTemplateTurn});
    return pieces;
}

TurnText TurnText::part(std::size_t begin, std::size_t length) const
{
    begin = std::min(begin, size());
    const std::size_t end = begin + std::min(length, size() - begin);
    TurnText part;
    part.m_bytes = m_bytes.substr(begin, end - begin);
    auto range = std::ranges::upper_bound(m_turns, begin, {},
                                          [](const TurnRange& r) { return r.bytes.end; });
    for (; range != m_turns.end() && range->bytes.begin < end; ++range)
        part.mark(
            {std::max(range->bytes.begin, begin) - begin, std::min(range->bytes.end, end) - begin},
            range->turn);
    return part;
}

void TurnText::append(std::string_view bytes, int turn)
{
    m_bytes += bytes;
    mark({size() - bytes.size(), size()}, turn);
}

TurnText& TurnText::operator+=(const TurnText& text)
{
    const std::size_t begin = size();
    const std::size_t ranges = text.m_turns.size(); // `text` may be this one
    m_bytes += text.m_bytes;
    for (std::size_t i = 0; i < ranges; ++i) {
        const TurnRange range = text.m_turns[i];
        mark({begin + range.bytes.begin, begin + range.bytes.end}, range.turn);
    }
    return *this;
}

void TurnText::truncate(std::size_t size)
{
    m_bytes.resize(std::min(size, m_bytes.size()));
    while (!m_turns.empty() && m_turns.back().bytes.begin >= size)
        m_turns.pop_back();
    if (!m_turns.empty())
        m_turns.back().bytes.end = std::min(m_turns.back().bytes.end, size);
}

TurnText changedText(const TurnText& text, std::string (*change)(const std::string&))
{
    std::string changed = change(text.bytes());
    if (text.turns().empty())
        return changed;
    TurnText result;
    const std::vector<TurnRange> pieces = text.pieces();
    std::size_t at = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const ByteRange bytes = pieces[i].bytes;
        // Letters at an edge may change otherwise alone, but keep their length.
        const std::size_t length =
            i + 1 == pieces.size()
                ? changed.size() - at
                : change(text.bytes().substr(bytes.begin, bytes.end - bytes.begin)).size();
        const std::size_t end = std::min(at + length, changed.size());
        result.append(std::string_view(changed).substr(at, end - at), pieces[i].turn);
        at = end;
    }
    return result;
}

} // namespace headscope
