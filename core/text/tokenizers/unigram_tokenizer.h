#pragma once

#include "core/text/normalizers/piece_normalizer.h"
#include "core/text/tokenizers/token_table.h"
#include "core/text/tokenizers/unigram_lattice.h"

namespace headscope {

struct UnigramPiece
{
    enum class Kind {
        Normal,
        Unknown, ///< stands for characters that no piece has; one of them
        Control, ///< never found in a text: "</s>"
    };

    std::string text;
    double score = 0.0; ///< ln p of a normal one
    Kind kind = Kind::Normal;

    friend bool operator==(const UnigramPiece&, const UnigramPiece&) = default;
};

/// All that decides a unigram tokenizer, as it stands in a spiece.model.
struct UnigramVocabulary
{
    std::vector<UnigramPiece> pieces;    ///< by id; "▁" for spaces
    std::vector<AddedToken> addedTokens; ///< found in the text before anything else
    PieceNormalization normalization;
    std::vector<TokenId> textPrefix; ///< put before a text by encode(..., addSpecial)
    std::vector<TokenId> textSuffix; ///< put after it: "</s>"

    friend bool operator==(const UnigramVocabulary&, const UnigramVocabulary&) = default;
};

/// The unigram language model of SentencePiece (Kudo 2018): of all ways to cut a text into pieces
/// the one with the largest product of their probabilities. Characters that no piece has are
/// unknown, neighbours as one token. Offsets are bytes of the text as it was before it was
/// normalized.
class UnigramTokenizer final : public Tokenizer
{
public:
    /// Throws Error for a vocabulary that is empty, names a piece twice, has not exactly one
    /// unknown piece, or a score that is no finite number.
    explicit UnigramTokenizer(UnigramVocabulary vocabulary);

    const UnigramVocabulary& vocabulary() const { return m_vocabulary; }

    std::string_view kind() const override { return "unigram"; }

    std::size_t vocabularySize() const override { return m_table.size(); }

    TokenSequence encode(std::string_view text, bool addSpecial = true) const override;

    /// Pieces with spaces for "▁", without the space that a text begins with; " ⁇ " where unknown.
    std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const override;

    const std::string& tokenText(TokenId id) const override { return m_table.text(id); }

    std::string tokenBytes(TokenId id) const override; ///< spaces for "▁"

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
