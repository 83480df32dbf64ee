#pragma once

#include "core/text/token_sequence.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Consecutive bytes of one turn of a chat.
struct TurnRange
{
    ByteRange bytes;
    int turn = 0; ///< Index among the messages, or kTemplateTurn.

    friend bool operator==(const TurnRange&, const TurnRange&) = default;
};

/// A text in which every byte knows the turn of the chat that it comes from, or that the template
/// wrote it.
class TurnText
{
public:
    TurnText() = default;
    TurnText(std::string bytes, int turn = kTemplateTurn);

    const std::string& bytes() const { return m_bytes; }

    std::size_t size() const { return m_bytes.size(); }

    bool empty() const { return m_bytes.empty(); }

    /// Ranges of turns, rising and disjoint; what lies between them is the template's.
    const std::vector<TurnRange>& turns() const { return m_turns; }

    /// Ranges that cover the whole text in order, those of the template with kTemplateTurn.
    std::vector<TurnRange> pieces() const;

    /// `length` bytes from `begin` on, as std::string::substr.
    TurnText part(std::size_t begin, std::size_t length = std::string::npos) const;

    void append(std::string_view bytes, int turn = kTemplateTurn);
    TurnText& operator+=(const TurnText& text);
    void truncate(std::size_t size); ///< Keeps the first `size` bytes.

    friend TurnText operator+(TurnText a, const TurnText& b) { return a += b; }

    friend bool operator==(const TurnText&, const TurnText&) = default;

private:
    void mark(ByteRange bytes, int turn);

    std::string m_bytes;
    std::vector<TurnRange> m_turns;
};

/// Result of a function of texts such as upperText(), whose parts keep their turns.
TurnText changedText(const TurnText& text, std::string (*change)(const std::string&));

} // namespace headscope
