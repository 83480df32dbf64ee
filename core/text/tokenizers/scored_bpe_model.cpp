#include "core/text/tokenizers/scored_bpe_model.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"
#include "core/text/tokenizers/byte_tokens.h"
#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/word_model.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Part of a word that one piece may represent; parts are linked from left to right.
struct Part
{
    ByteRange bytes; ///< Empty: merged into its left neighbour.
    std::size_t left = kNone;
    std::size_t right = kNone;
    bool isFixed = false; ///< A user-defined piece is never merged.
};

struct Candidate
{
    double score;
    std::size_t left;
    std::size_t right;
    std::size_t size; ///< Bytes of both; the candidate is outdated if they differ.

    bool operator<(const Candidate& other) const // orders a queue with the best on top
    {
        return score != other.score ? score < other.score : left > other.left;
    }
};

class ScoredBpeModel final : public WordModel
{
public:
    ScoredBpeModel(const TokenTable& table, const PieceModelRules& rules) : m_rules(rules)
    {
        table.check(std::span(&rules.unknown, 1), "the unknown token");
        if (rules.byteFallback)
            m_byteTokens.emplace(table);
        for (std::size_t i = 0; i < rules.kinds.size(); ++i) {
            const auto id = static_cast<TokenId>(i);
            const std::string& text = table.text(id);
            if (std::isnan(rules.scores[i]))
                throw Error(
                    fmt::format("the score of {} is not a number", inQuotes(displayText(text))));
            const PieceKind kind = rules.kinds[i];
            if (kind == PieceKind::UserDefined)
                m_fixed.insert(text, id);
            if (kind == PieceKind::Normal || kind == PieceKind::UserDefined ||
                kind == PieceKind::Unused) {
                m_pieces.emplace(text, id);
                m_longest = std::max(m_longest, text.size());
            }
        }
    }

    std::vector<WordToken> tokensOf(std::string_view word) const override
    {
        return Joining(*this, word).tokens();
    }

    bool wordsRepeat() const override { return false; } // a word is a whole text here

private:
    /// State of merging one word.
    class Joining
    {
    public:
        Joining(const ScoredBpeModel& model, std::string_view word) : m_model(model), m_word(word)
        {
            split();
            for (std::size_t i = 1; i < m_parts.size(); ++i)
                consider(i - 1, i);
            while (!m_queue.empty()) {
                const Candidate best = m_queue.top();
                m_queue.pop();
                if (isCurrent(best))
                    join(best);
            }
        }

        std::vector<WordToken> tokens()
        {
            for (std::size_t i = m_parts.empty() ? kNone : 0; i != kNone; i = m_parts[i].right)
                emit(m_parts[i].bytes);
            return std::move(m_tokens);
        }

    private:
        std::string_view textOf(ByteRange bytes) const
        {
            return m_word.substr(bytes.begin, bytes.end - bytes.begin);
        }

        void split()
        {
            for (std::size_t at = 0; at < m_word.size();) {
                std::size_t length = 0;
                m_model.m_fixed.forPrefixes(m_word.substr(at),
                                            [&](TokenId, std::size_t found) { length = found; });
                Part part;
                part.isFixed = length > 0;
                if (!part.isFixed)
                    length = utf8CharacterAt(m_word, at).length;
                part.bytes = {at, at + length};
                part.left = m_parts.empty() ? kNone : m_parts.size() - 1;
                at += length;
                part.right = at < m_word.size() ? m_parts.size() + 1 : kNone;
                m_parts.push_back(part);
            }
        }

        void consider(std::size_t left, std::size_t right)
        {
            if (left == kNone || right == kNone || m_parts[left].isFixed || m_parts[right].isFixed)
                return;
            const ByteRange both{m_parts[left].bytes.begin, m_parts[right].bytes.end};
            const TokenId id = m_model.find(textOf(both));
            if (id < 0)
                return;
            const auto index = static_cast<std::size_t>(id);
            m_queue.push({m_model.m_rules.scores[index], left, right, both.end - both.begin});
            if (m_model.m_rules.kinds[index] == PieceKind::Unused)
                m_halves.insert_or_assign(textOf(both), m_parts[left].bytes.end - both.begin);
        }

        bool isCurrent(const Candidate& candidate) const
        {
            const ByteRange& left = m_parts[candidate.left].bytes;
            const ByteRange& right = m_parts[candidate.right].bytes;
            return left.begin < left.end && right.begin < right.end &&
                   left.end - left.begin + right.end - right.begin == candidate.size;
        }

        void join(const Candidate& candidate)
        {
            Part& left = m_parts[candidate.left];
            Part& right = m_parts[candidate.right];
            left.bytes.end = right.bytes.end;
            left.right = right.right;
            right.bytes.end = right.bytes.begin;
            if (left.right != kNone)
                m_parts[left.right].left = candidate.left;
            consider(left.left, candidate.left);
            consider(candidate.left, left.right);
        }

        /// Splits a piece that must not be used again, in the reverse order of its merges.
        void emit(ByteRange bytes)
        {
            std::vector<ByteRange> waiting{bytes};
            while (!waiting.empty()) {
                const ByteRange part = waiting.back();
                waiting.pop_back();
                const TokenId id = m_model.find(textOf(part));
                const bool isUnused =
                    id >= 0 &&
                    m_model.m_rules.kinds[static_cast<std::size_t>(id)] == PieceKind::Unused;
                const auto half = isUnused ? m_halves.find(textOf(part)) : m_halves.end();
                if (half == m_halves.end()) {
                    emitPiece(id, part);
                    continue;
                }
                waiting.push_back({part.begin + half->second, part.end});
                waiting.push_back({part.begin, part.begin + half->second});
            }
        }

        void emitPiece(TokenId id, ByteRange bytes)
        {
            const TokenId unknown = m_model.m_rules.unknown;
            if (id >= 0)
                m_tokens.push_back({id, bytes});
            else if (m_model.m_byteTokens && m_model.m_byteTokens->append(m_word, bytes, m_tokens))
                return;
            else if (!m_tokens.empty() && m_tokens.back().id == unknown)
                m_tokens.back().bytes.end = bytes.end;
            else
                m_tokens.push_back({unknown, bytes});
        }

        const ScoredBpeModel& m_model;
        std::string_view m_word;
        std::vector<Part> m_parts;
        std::priority_queue<Candidate> m_queue;
        std::unordered_map<std::string_view, std::size_t> m_halves; ///< End of the left half.
        std::vector<WordToken> m_tokens;
    };

    /// Id of a piece, or -1.
    TokenId find(std::string_view text) const
    {
        if (text.size() > m_longest)
            return -1;
        const auto found = m_pieces.find(text);
        return found == m_pieces.end() ? -1 : found->second;
    }

    PieceModelRules m_rules;
    std::unordered_map<std::string_view, TokenId> m_pieces; ///< Texts are owned by the table.
    PieceTrie m_fixed;
    std::size_t m_longest = 0;
    std::optional<ByteTokens> m_byteTokens;
};

} // namespace

WordModelPtr scoredBpeModel(const TokenTable& table, const PieceModelRules& rules)
{
    return std::make_unique<ScoredBpeModel>(table, rules);
}

} // namespace headscope
