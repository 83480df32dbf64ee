#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

using TokenId = std::int32_t;

/// Half-open range of bytes of the text that was tokenized.
struct ByteRange
{
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

struct Token
{
    TokenId id = 0;
    ByteRange bytes; ///< Exact bytes of this token; [0, 0] for an added special token.
    bool special = false;

    friend bool operator==(const Token&, const Token&) = default;
};

/// A text and its tokens. The text may contain any bytes.
struct TokenSequence
{
    std::string text;
    std::vector<Token> tokens;

    std::size_t size() const { return tokens.size(); }

    std::vector<TokenId> ids() const;

    friend bool operator==(const TokenSequence&, const TokenSequence&) = default;
};

} // namespace headscope
