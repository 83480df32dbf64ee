#pragma once

#include "core/text/tokenizers/bpe_merges.h"
#include "core/text/tokenizers/token_table.h"
#include "core/text/tokenizers/tokenizer.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

/// Complete definition of a byte-level BPE, as stored in a file.
struct BpeVocabulary
{
    std::vector<std::string> tokens; ///< Tokens by id, in the byte alphabet; added ones unchanged.
    std::vector<std::pair<TokenId, TokenId>> merges; ///< Most frequent first.
    std::vector<AddedToken> addedTokens;
    bool addPrefixSpace = false; ///< Prepends a space to text that begins without one.
    bool splitWords = true; ///< Splits by the pattern of GPT-2; false: the whole text is one word.
    bool ignoreMerges = false;       ///< Looks up whole words as tokens before merging.
    std::vector<TokenId> textPrefix; ///< Tokens before a text, added by encode(..., addSpecial).
    std::vector<TokenId> textSuffix; ///< Tokens after it.

    friend bool operator==(const BpeVocabulary&, const BpeVocabulary&) = default;
};

/// Byte-level byte pair encoding as in GPT-2, with the same ids as Hugging Face tokenizers. Without
/// a prefix space, decode(encode(bytes)) returns the same bytes for any bytes.
class BpeTokenizer final : public Tokenizer
{
public:
    /// Throws Error for a vocabulary that is empty, lacks a byte or contains a token twice, for
    /// merges of or into tokens that do not exist, and for added tokens that are empty or
    /// misplaced.
    explicit BpeTokenizer(BpeVocabulary vocabulary);

    const BpeVocabulary& vocabulary() const { return m_vocabulary; }

    std::string_view kind() const override { return "bpe"; }

    std::size_t vocabularySize() const override { return m_table.size(); }

    TokenSequence encode(std::string_view text, bool addSpecial = true) const override;
    std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const override;

    const std::string& tokenText(TokenId id) const override { return m_table.text(id); }

    std::string tokenBytes(TokenId id) const override { return m_bytes[m_table.index(id)]; }

    bool isSpecial(TokenId id) const override { return m_table.isSpecial(id); }

    std::optional<TokenId> find(std::string_view tokenText) const override
    {
        return m_table.find(tokenText);
    }

    std::optional<TokenId> endOfText() const override { return m_table.usualEndOfText(); }

private:
    class Encoding;

    void indexBytes();
    void indexMerges();
    void checkStandsFor(TokenId id, const std::string& bytes) const;
    std::vector<TokenId> encodeWord(std::string_view word) const;

    BpeVocabulary m_vocabulary;
    std::vector<std::string> m_bytes; ///< Bytes of each token, by id.
    std::array<TokenId, 256> m_byteIds{};
    BpeMerges m_merges;
    AddedTokenFinder m_addedBefore;     ///< Tokens matched before normalising.
    AddedTokenFinder m_addedAfterwards; ///< Tokens matched after normalising.
    TokenTable m_table;
};

} // namespace headscope
