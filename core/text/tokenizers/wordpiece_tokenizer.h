#pragma once

#include "core/text/normalizers/bert_normalizer.h"
#include "core/text/tokenizers/token_table.h"

namespace headscope {

/// Complete definition of a WordPiece tokenizer, as stored in a vocab.txt and beside it.
struct WordPieceVocabulary
{
    std::vector<std::string> tokens;     ///< Tokens by id; continuations begin with `continuation`.
    std::vector<AddedToken> addedTokens; ///< Matched in the text before anything else: "[SEP]".
    std::string unknown = "[UNK]";
    std::string continuation = "##";
    std::size_t longestWord = 100; ///< Limit in characters; longer words are unknown.
    BertNormalization normalization;
    /// Tokens before a text, added by encode(..., addSpecial): [CLS].
    std::vector<TokenId> textPrefix;
    std::vector<TokenId> textSuffix; ///< Tokens after it: [SEP].

    friend bool operator==(const WordPieceVocabulary&, const WordPieceVocabulary&) = default;
};

/// Vocabulary of BERT's vocab.txt: one token per line, [PAD] [UNK] [CLS] [SEP] [MASK] among them
/// are special, texts are surrounded by [CLS] and [SEP]. Throws Error when one of the latter is
/// missing.
WordPieceVocabulary bertVocabulary(std::vector<std::string> tokens,
                                   const BertNormalization& normalization = {});

/// WordPiece as in BERT (Schuster, Nakajima 2012; Devlin et al. 2019): each word is split, from its
/// beginning, into the longest pieces of the vocabulary. A word that cannot be split is unknown.
/// Offsets are bytes of the text before normalisation.
class WordPieceTokenizer final : public Tokenizer
{
public:
    /// Throws Error for a vocabulary that is empty, contains a token twice or lacks the unknown
    /// one.
    explicit WordPieceTokenizer(WordPieceVocabulary vocabulary);

    const WordPieceVocabulary& vocabulary() const { return m_vocabulary; }

    std::string_view kind() const override { return "wordpiece"; }

    std::size_t vocabularySize() const override { return m_table.size(); }

    TokenSequence encode(std::string_view text, bool addSpecial = true) const override;

    /// Words with spaces between them, none before . ? ! and commas: normalisation is not undone.
    std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const override;

    const std::string& tokenText(TokenId id) const override { return m_table.text(id); }

    std::string tokenBytes(TokenId id) const override; ///< Without "##".

    bool isSpecial(TokenId id) const override { return m_table.isSpecial(id); }

    std::optional<TokenId> find(std::string_view tokenText) const override
    {
        return m_table.find(tokenText);
    }

    std::optional<TokenId> endOfText() const override { return std::nullopt; }

private:
    void appendWord(const NormalizedText& text, ByteRange word, std::size_t offset,
                    std::vector<Token>& tokens) const;
    std::optional<Token> longestPiece(std::string_view word, std::size_t begin) const;

    WordPieceVocabulary m_vocabulary;
    TokenTable m_table;
    AddedTokenFinder m_added;
    TokenId m_unknown = 0;
    std::size_t m_longestPiece = 0; ///< Length in bytes, without the continuation prefix.
};

} // namespace headscope
