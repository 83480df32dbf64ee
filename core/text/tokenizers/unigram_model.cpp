#include "core/text/tokenizers/unigram_model.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"
#include "core/text/tokenizers/byte_tokens.h"
#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/word_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace headscope {

namespace {

/// Penalty of an unknown character relative to the rarest piece, as in SentencePiece.
constexpr double kUnknownPenalty = 10.0;
/// Penalty of a user-defined piece, as in SentencePiece.
constexpr double kUserDefinedPenalty = 0.1;
/// Keeps sums of the scores of a text's pieces finite.
constexpr double kLargestScore = 1e30;

class UnigramModel final : public WordModel
{
public:
    UnigramModel(const TokenTable& table, const PieceModelRules& rules)
        : m_unknown(rules.unknown)
        , m_singlePrecision(rules.singlePrecision)
        , m_scores(rules.scores)
    {
        table.check(std::span(&rules.unknown, 1), "the unknown token");
        if (rules.byteFallback)
            m_byteTokens.emplace(table);
        const double highest = indexScores(table, rules);
        for (std::size_t i = 0; i < rules.kinds.size(); ++i) {
            const auto id = static_cast<TokenId>(i);
            const std::string& text = table.text(id);
            if (rules.kinds[i] == PieceKind::UserDefined)
                m_scores[i] = static_cast<double>(text.size()) * highest - kUserDefinedPenalty;
            if (rules.kinds[i] == PieceKind::UserDefined || rules.kinds[i] == PieceKind::Normal)
                m_trie.insert(text, id);
        }
    }

    std::vector<WordToken> tokensOf(std::string_view word) const override
    {
        std::vector<WordToken> tokens;
        bool wasUnknown = false;
        for (const PieceCut& cut :
             mostProbableCut(word, {m_trie, m_scores, m_unknownScore, -1, m_singlePrecision})) {
            const ByteRange bytes{cut.begin, cut.end};
            const bool isUnknown = cut.id < 0 || cut.id == m_unknown;
            if (isUnknown && m_byteTokens && m_byteTokens->append(word, bytes, tokens)) {
                wasUnknown = false;
                continue;
            }
            if (isUnknown && wasUnknown)
                tokens.back().bytes.end = bytes.end;
            else
                tokens.push_back({isUnknown ? m_unknown : cut.id, bytes});
            wasUnknown = isUnknown;
        }
        return tokens;
    }

private:
    /// Returns the highest score.
    double indexScores(const TokenTable& table, const PieceModelRules& rules)
    {
        double lowest = std::numeric_limits<double>::infinity();
        double highest = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < rules.scores.size(); ++i) {
            if (!(std::abs(rules.scores[i]) <= kLargestScore))
                throw Error(
                    fmt::format("the score of {} is not finite, or too large",
                                inQuotes(displayText(table.text(static_cast<TokenId>(i))))));
            if (rules.kinds[i] != PieceKind::Normal)
                continue;
            lowest = std::min(lowest, rules.scores[i]);
            highest = std::max(highest, rules.scores[i]);
        }
        if (lowest > highest)
            lowest = highest = 0.0;
        m_unknownScore = lowest - kUnknownPenalty;
        return highest;
    }

    TokenId m_unknown;
    bool m_singlePrecision;
    std::vector<double> m_scores;
    double m_unknownScore = 0.0;
    PieceTrie m_trie;
    std::optional<ByteTokens> m_byteTokens;
};

} // namespace

WordModelPtr unigramModel(const TokenTable& table, const PieceModelRules& rules)
{
    return std::make_unique<UnigramModel>(table, rules);
}

} // namespace headscope
