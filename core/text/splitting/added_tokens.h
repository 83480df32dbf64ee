#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A token that is matched in the text before anything else: <|endoftext|>.
struct AddedToken
{
    TokenId id = 0;
    std::string content;
    bool special = true;           ///< Omitted by decode on request.
    bool normalized = false;       ///< Matched after those that are not normalised.
    bool singleWord = false;       ///< Matched only where no letter or digit is adjacent.
    bool takesSpaceBefore = false; ///< Includes preceding white space ("lstrip").
    bool takesSpaceAfter = false;  ///< Includes following white space ("rstrip").

    friend bool operator==(const AddedToken&, const AddedToken&) = default;
};

/// Finds added tokens in a text: leftmost first, the longest at one position.
class AddedTokenFinder
{
public:
    /// Maximum length; longer ones are rejected, so that a search stays linear in the text.
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
        std::int32_t token = -1; ///< Index in m_tokens.
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
