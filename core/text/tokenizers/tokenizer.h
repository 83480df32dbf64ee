#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
    ByteRange bytes; ///< exact bytes of this token; [0, 0] for a special token that was added
    bool special = false;

    friend bool operator==(const Token&, const Token&) = default;
};

/// A text and the tokens that it became. The text may hold any bytes.
struct TokenSequence
{
    std::string text;
    std::vector<Token> tokens;

    std::size_t size() const { return tokens.size(); }

    std::vector<TokenId> ids() const;

    friend bool operator==(const TokenSequence&, const TokenSequence&) = default;
};

/// Turns text into token ids and back. Immutable once built, so any thread may use it.
class Tokenizer
{
public:
    virtual ~Tokenizer() = default;

    virtual std::string_view kind() const = 0; ///< "bpe"
    virtual std::size_t vocabularySize() const = 0;

    /// Any bytes, empty ones too. `addSpecial`: put the tokens that the vocabulary's post-processor
    /// or ours adds around a text (none for plain GPT-2).
    virtual TokenSequence encode(std::string_view text, bool addSpecial = true) const = 0;

    /// Exact inverse of encode for byte-level vocabularies; special tokens are left out on request.
    virtual std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const = 0;

    /// As stored in the vocabulary (byte alphabet). Throws Error for an id that does not exist.
    virtual const std::string& tokenText(TokenId id) const = 0;

    /// The bytes that the token stands for (its own text for a special token).
    virtual std::string tokenBytes(TokenId id) const = 0;

    virtual bool isSpecial(TokenId id) const = 0;

    /// The id of a token by its stored text.
    virtual std::optional<TokenId> find(std::string_view tokenText) const = 0;

    /// The token that separates documents and begins every training row, when there is one.
    virtual std::optional<TokenId> endOfText() const = 0;
};

/// How a person reads a token: printable text as it is, a lone space as a middle dot, bytes that are
/// no valid UTF-8 as <0xE2>, control characters by their Unicode pictures.
std::string displayText(std::string_view tokenBytes);

} // namespace headscope
