#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A token that is found in the text before anything else: <|endoftext|>.
struct AddedToken
{
    TokenId id = 0;
    std::string content;
    bool special = true;           ///< left out by decode on request
    bool normalized = false;       ///< looked for after those that are not
    bool singleWord = false;       ///< only where no letter or digit touches it
    bool takesSpaceBefore = false; ///< white space before it is part of it ("lstrip")
    bool takesSpaceAfter = false;  ///< white space after it is ("rstrip")

    friend bool operator==(const AddedToken&, const AddedToken&) = default;
};

/// Finds added tokens in a text: leftmost first, the longest at one place.
class AddedTokenFinder
{
public:
    /// Longest content; longer ones are refused, so that a search stays linear in the text.
    static constexpr std::size_t kMaxLength = 512;

    explicit AddedTokenFinder(const std::vector<AddedToken>& tokens);

    struct Piece
    {
        ByteRange bytes;
        TokenId id = -1; ///< -1: ordinary text
    };

    /// Covers the text without gaps; ordinary pieces are not empty.
    std::vector<Piece> split(std::string_view text) const;

private:
    struct Node
    {
        std::int32_t token = -1; ///< place in m_tokens
        std::vector<std::pair<char, std::uint32_t>> children;
    };

    void insert(const AddedToken& token);
    const std::uint32_t* child(std::uint32_t node, char byte) const;

    struct Found
    {
        ByteRange bytes;
        const AddedToken* token = nullptr;
    };

    Found longestAt(std::string_view text, std::size_t begin) const;

    std::vector<Node> m_nodes{Node{}};
    std::vector<AddedToken> m_tokens;
};

} // namespace headscope
