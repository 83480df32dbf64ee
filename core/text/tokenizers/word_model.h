#pragma once

#include "core/text/tokenizers/token_table.h"
#include "core/text/tokenizers/unigram_lattice.h"

#include <array>
#include <memory>
#include <span>

namespace headscope {

/// A token and the bytes of a word that it stands for.
struct WordToken
{
    TokenId id = 0;
    ByteRange bytes;
};

/// Turns words into tokens. Immutable; `table` outlives it.
class WordModel
{
public:
    virtual ~WordModel() = default;

    /// Tokens from left to right. Bytes that the vocabulary has nothing for may be left out.
    virtual std::vector<WordToken> tokensOf(std::string_view word) const = 0;

    /// Whether what a word becomes is worth remembering.
    virtual bool wordsRepeat() const { return true; }
};

using WordModelPtr = std::unique_ptr<const WordModel>;

/// Ids of the 256 tokens <0x00> ... <0xFF>; -1 where there is none. Other hexadecimal spellings are
/// no byte tokens.
class ByteTokens
{
public:
    ByteTokens() { m_ids.fill(-1); }

    explicit ByteTokens(const TokenTable& table);

    /// One token a byte; as in SentencePiece, the last one stands for all of `bytes` and the others
    /// for none. False, and nothing is added, when one is missing.
    bool append(std::string_view text, ByteRange bytes, std::vector<WordToken>& tokens) const;

    /// The byte that "<0x41>" stands for.
    static std::optional<char> byteOf(std::string_view token);

private:
    std::array<TokenId, 256> m_ids;
};

/// Byte pair encoding by merges in their order.
struct BpeRules
{
    std::vector<std::pair<TokenId, TokenId>> merges; ///< most frequent first
    bool byteLevel = false;         ///< symbols are bytes in GPT-2's alphabet, not characters
    bool byteFallback = false;      ///< characters without a token become <0x..>
    bool fuseUnknown = false;       ///< neighbours without a token become one unknown token
    bool ignoreMerges = false;      ///< a word that is itself a token becomes it at once
    std::optional<TokenId> unknown; ///< missing: what has no token is left out
};

/// Throws Error for merges into tokens that do not exist.
WordModelPtr bpeModel(const TokenTable& table, const BpeRules& rules);

/// The longest pieces first (WordPiece).
struct LongestPieceRules
{
    std::string firstMark;         ///< what tokens that begin a word begin with: "▁" in GGUF
    std::string laterMark;         ///< what those that go on begin with: "##"
    std::size_t longestWord = 100; ///< characters; longer ones are unknown
    TokenId unknown = 0;
};

WordModelPtr longestPieceModel(const TokenTable& table, const LongestPieceRules& rules);

/// What SentencePiece says of a piece.
enum class PieceKind { Normal, Unknown, Control, UserDefined, Unused, Byte };

struct PieceModelRules
{
    std::vector<double> scores;   ///< by id
    std::vector<PieceKind> kinds; ///< by id
    TokenId unknown = 0;
    bool byteFallback = false;    ///< what is unknown becomes <0x..>
    bool singlePrecision = false; ///< sums of scores as SentencePiece itself makes them
};

/// The most probable cut (unigram). Throws Error for scores that are no finite numbers.
WordModelPtr unigramModel(const TokenTable& table, const PieceModelRules& rules);

/// SentencePiece's byte pair encoding: of all neighbours that make a piece together, those whose
/// piece has the highest score are joined first.
WordModelPtr scoredBpeModel(const TokenTable& table, const PieceModelRules& rules);

} // namespace headscope
