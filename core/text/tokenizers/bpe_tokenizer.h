#pragma once

#include "core/text/splitting/added_tokens.h"
#include "core/text/tokenizers/bpe_merges.h"
#include "core/text/tokenizers/tokenizer.h"

#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headscope {

/// All that decides a byte-level BPE, as it stands in a file.
struct BpeVocabulary
{
    std::vector<std::string> tokens; ///< by id, in the byte alphabet; added ones as they are
    std::vector<std::pair<TokenId, TokenId>> merges; ///< most frequent first
    std::vector<AddedToken> addedTokens;
    bool addPrefixSpace = false;     ///< text that begins without a space is read as if it had one
    bool splitWords = true;          ///< by the pattern of GPT-2; false: the whole text is one word
    bool ignoreMerges = false;       ///< a word that is itself a token becomes it at once
    std::vector<TokenId> textPrefix; ///< put before a text by encode(..., addSpecial)
    std::vector<TokenId> textSuffix; ///< put after it

    friend bool operator==(const BpeVocabulary&, const BpeVocabulary&) = default;
};

/// Byte-level byte pair encoding as of GPT-2, with the same ids as Hugging Face tokenizers. Without
/// a prefix space, decode(encode(bytes)) gives the same bytes for any bytes.
class BpeTokenizer final : public Tokenizer
{
public:
    /// Throws Error for a vocabulary that is empty, lacks a byte or names a token twice, for merges
    /// of or into tokens that do not exist, and for added tokens that are empty or misplaced.
    explicit BpeTokenizer(BpeVocabulary vocabulary);

    const BpeVocabulary& vocabulary() const { return m_vocabulary; }

    std::string_view kind() const override { return "bpe"; }

    std::size_t vocabularySize() const override { return m_vocabulary.tokens.size(); }

    TokenSequence encode(std::string_view text, bool addSpecial = true) const override;
    std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const override;
    const std::string& tokenText(TokenId id) const override;
    std::string tokenBytes(TokenId id) const override;
    bool isSpecial(TokenId id) const override;
    std::optional<TokenId> find(std::string_view tokenText) const override;

    std::optional<TokenId> endOfText() const override { return m_endOfText; }

private:
    class Encoding;

    void indexTokens();
    void indexAddedTokens();
    void indexBytes();
    void indexMerges();
    void checkId(TokenId id, const char* what) const;
    void checkStandsFor(TokenId id, const std::string& bytes) const;
    std::size_t checkedIndex(TokenId id) const;
    std::vector<TokenId> encodeWord(std::string_view word) const;

    BpeVocabulary m_vocabulary;
    std::unordered_map<std::string, TokenId> m_ids;
    std::vector<std::string> m_bytes; ///< by id: what the token stands for
    std::vector<bool> m_special;
    std::array<TokenId, 256> m_byteIds{};
    BpeMerges m_merges;
    AddedTokenFinder m_addedBefore;     ///< those that are not normalized
    AddedTokenFinder m_addedAfterwards; ///< those that are
    std::optional<TokenId> m_endOfText;
};

} // namespace headscope
