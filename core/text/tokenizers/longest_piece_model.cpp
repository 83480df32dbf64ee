#include "core/text/tokenizers/longest_piece_model.h"

#include "core/text/tokenizers/word_model.h"

#include <algorithm>

namespace headscope {

namespace {

class LongestPieceModel final : public WordModel
{
public:
    LongestPieceModel(const TokenTable& table, const LongestPieceRules& rules)
        : m_table(table)
        , m_rules(rules)
    {
        table.check(std::span(&rules.unknown, 1), "the unknown token");
        for (std::size_t id = 0; id < table.size(); ++id)
            m_longestToken = std::max(m_longestToken, table.text(static_cast<TokenId>(id)).size());
    }

    std::vector<WordToken> tokensOf(std::string_view word) const override
    {
        const std::vector<WordToken> unknown{{m_rules.unknown, {0, word.size()}}};
        const auto characters =
            std::ranges::count_if(word, [](char byte) { return (byte & 0xC0) != 0x80; });
        if (static_cast<std::size_t>(characters) > m_rules.longestWord)
            return unknown;
        std::vector<WordToken> tokens;
        for (std::size_t at = 0; at < word.size();) {
            const auto piece = longestPiece(word, at);
            if (!piece)
                return unknown;
            tokens.push_back(*piece);
            at = piece->bytes.end;
        }
        return tokens;
    }

private:
    std::optional<WordToken> longestPiece(std::string_view word, std::size_t begin) const
    {
        std::string piece = begin > 0 ? m_rules.laterMark : m_rules.firstMark;
        const std::size_t mark = piece.size();
        std::size_t end = std::min(word.size(), begin + m_longestToken);
        piece += word.substr(begin, end - begin);
        for (; end > begin; --end) {
            const bool endsCharacter = end == word.size() || (word[end] & 0xC0) != 0x80;
            if (!endsCharacter)
                continue;
            piece.resize(mark + end - begin);
            if (const auto id = m_table.find(piece))
                return WordToken{*id, {begin, end}};
        }
        return std::nullopt;
    }

    const TokenTable& m_table;
    LongestPieceRules m_rules;
    std::size_t m_longestToken = 0; ///< Length in bytes.
};

} // namespace

WordModelPtr longestPieceModel(const TokenTable& table, const LongestPieceRules& rules)
{
    return std::make_unique<LongestPieceModel>(table, rules);
}

} // namespace headscope
