#pragma once

#include "core/text/normalizers/piece_normalizer.h"
#include "core/text/tokenizers/token_table.h"
#include "core/text/tokenizers/unigram_lattice.h"

namespace headscope {

struct UnigramPiece
{
    enum class Kind {
        Normal,
        Unknown, ///< Represents characters without a piece; exactly one.
        Control, ///< Never matched in a text: "</s>".
    };

    std::string text;
    double score = 0.0; ///< Log-probability of a normal piece.
    Kind kind = Kind::Normal;

    friend bool operator==(const UnigramPiece&, const UnigramPiece&) = default;
};

/// Complete definition of a unigram tokenizer, as stored in a spiece.model.
struct UnigramVocabulary
{
    std::vector<UnigramPiece> pieces;    ///< Pieces by id; "▁" for spaces.
    std::vector<AddedToken> addedTokens; ///< Matched in the text before anything else.
    PieceNormalization normalization;
    std::vector<TokenId> textPrefix; ///< Tokens before a text, added by encode(..., addSpecial).
    std::vector<TokenId> textSuffix; ///< Tokens after it: "</s>".

    friend bool operator==(const UnigramVocabulary&, const UnigramVocabulary&) = default;
};

/// Unigram language model of SentencePiece (Kudo 2018): of all segmentations of a text, the one
/// with the largest product of piece probabilities. Characters without a piece are unknown,
/// neighbours as one token. Offsets are bytes of the text before normalisation.
class UnigramTokenizer final : public Tokenizer
{
public:
    /// Throws Error for a vocabulary that is empty, contains a piece twice, does not have exactly
    /// one unknown piece, or has a score that is not finite.
    explicit UnigramTokenizer(UnigramVocabulary vocabulary);

    const UnigramVocabulary& vocabulary() const { return m_vocabulary; }

    std::string_view kind() const override { return "unigram"; }

    std::size_t vocabularySize() const override { return m_table.size(); }

    TokenSequence encode(std::string_view text, bool addSpecial = true) const override;

    /// Pieces with spaces for "▁", without the space at the beginning of a text; " ⁇ " where
    /// unknown.
    std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const override;

    const std::string& tokenText(TokenId id) const override { return m_table.text(id); }

    std::string tokenBytes(TokenId id) const override; ///< Spaces for "▁".

    bool isSpecial(TokenId id) const override { return m_table.isSpecial(id); }

    std::optional<TokenId> find(std::string_view tokenText) const override
    {
        return m_table.find(tokenText);
    }

    std::optional<TokenId> endOfText() const override { return m_endOfText; }

    TokenId unknown() const { return m_unknown; }

private:
    void indexPieces();
    void encodePlain(std::string_view text, std::size_t offset, std::vector<Token>& tokens) const;

    UnigramVocabulary m_vocabulary;
    TokenTable m_table;
    AddedTokenFinder m_added;
    PieceTrie m_trie;
    std::vector<double> m_scores;
    double m_unknownScore = 0.0;
    TokenId m_unknown = -1;
    std::optional<TokenId> m_endOfText;
};

} // namespace headscope
