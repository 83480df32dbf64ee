#pragma once

#include "core/text/token_sequence.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Turns text into token ids and back. Immutable once built, so any thread may use it.
class Tokenizer
{
public:
    virtual ~Tokenizer() = default;

    virtual std::string_view kind() const = 0; ///< Kind such as "bpe".
    virtual std::size_t vocabularySize() const = 0;

    /// Encodes any bytes, also empty ones. `addSpecial`: add the tokens that the vocabulary's
    /// post-processor puts around a text (none for plain GPT-2).
    virtual TokenSequence encode(std::string_view text, bool addSpecial = true) const = 0;

    using TokenSink = std::function<void(const Token& token)>;

    /// Passes the tokens of encode(text, addSpecial) to `sink`, from left to right. A long text is
    /// encoded in parts where that gives the same tokens, so that they are never all in memory.
    virtual void encodeInto(std::string_view text, bool addSpecial, const TokenSink& sink) const;

    /// Exact inverse of encode for byte-level vocabularies; special tokens are omitted on request.
    virtual std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const = 0;

    /// Token text as stored in the vocabulary (byte alphabet). Throws Error for an id that does not
    /// exist.
    virtual const std::string& tokenText(TokenId id) const = 0;

    /// Bytes of the token (its own text for a special token).
    virtual std::string tokenBytes(TokenId id) const = 0;

    virtual bool isSpecial(TokenId id) const = 0;

    /// Finds a token's id by its stored text.
    virtual std::optional<TokenId> find(std::string_view tokenText) const = 0;

    /// Token that separates documents and begins every training row, if any.
    virtual std::optional<TokenId> endOfText() const = 0;
};

} // namespace headscope
