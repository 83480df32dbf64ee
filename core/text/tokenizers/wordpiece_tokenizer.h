#pragma once

#include "core/text/normalizers/bert_normalizer.h"
#include "core/text/tokenizers/token_table.h"

namespace headscope {

/// All that decides a WordPiece tokenizer, as it stands in a vocab.txt and beside it.
struct WordPieceVocabulary
{
    std::vector<std::string>
        tokens; ///< by id; those that go on in a word begin with `continuation`
    std::vector<AddedToken> addedTokens; ///< found in the text before anything else: "[SEP]"
    std::string unknown = "[UNK]";
    std::string continuation = "##";
    std::size_t longestWord = 100; ///< characters; a longer one is unknown
    BertNormalization normalization;
    std::vector<TokenId> textPrefix; ///< put before a text by encode(..., addSpecial): [CLS]
    std::vector<TokenId> textSuffix; ///< put after it: [SEP]

    friend bool operator==(const WordPieceVocabulary&, const WordPieceVocabulary&) = default;
};

/// What BERT's vocab.txt means: one token a line, [PAD] [UNK] [CLS] [SEP] [MASK] among them are
/// special, texts stand between [CLS] and [SEP]. Throws Error when one of the latter is missing.
WordPieceVocabulary bertVocabulary(std::vector<std::string> tokens,
                                   const BertNormalization& normalization = {});

/// WordPiece as of BERT (Schuster, Nakajima 2012; Devlin et al. 2019): each word is cut, from its
/// beginning, into the longest pieces that the vocabulary has. A word that cannot be cut is
/// unknown. Offsets are bytes of the text as it was before it was normalized.
class WordPieceTokenizer final : public Tokenizer
{
public:
    /// Throws Error for a vocabulary that is empty, names a token twice or lacks the unknown one.
    explicit WordPieceTokenizer(WordPieceVocabulary vocabulary);

    const WordPieceVocabulary& vocabulary() const { return m_vocabulary; }

    std::string_view kind() const override { return "wordpiece"; }

    std::size_t vocabularySize() const override { return m_table.size(); }

    TokenSequence encode(std::string_view text, bool addSpecial = true) const override;

    /// Words with spaces between them, none before . ? ! and commas: what normalizing left out does
    /// not come back.
    std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const override;

    const std::string& tokenText(TokenId id) const override { return m_table.text(id); }

    std::string tokenBytes(TokenId id) const override; ///< without "##"

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
    std::size_t m_longestPiece = 0; ///< bytes, without the mark of continuation
};

} // namespace headscope
