#include "core/text/tokenizers/bpe_model.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"
#include "core/text/tokenizers/bpe_merges.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/text/tokenizers/byte_tokens.h"
#include "core/text/tokenizers/word_model.h"
#include "core/text/utf8.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Symbols of a word before any merge, with their bytes.
struct Symbols
{
    std::vector<TokenId> ids;
    std::vector<ByteRange> bytes;
};

class BpeModel final : public WordModel
{
public:
    BpeModel(const TokenTable& table, const BpeRules& rules) : m_table(table), m_rules(rules)
    {
        if (rules.unknown)
            table.check(std::span(&*rules.unknown, 1), "the unknown token");
        if (rules.byteFallback)
            m_byteTokens = ByteTokens(table);
        for (std::size_t byte = 0; byte < m_byteIds.size(); ++byte)
            m_byteIds[byte] = table.find(byteSymbol(static_cast<std::uint8_t>(byte))).value_or(-1);
        indexMerges();
        m_rules.merges = {};
    }

    std::vector<WordToken> tokensOf(std::string_view word) const override
    {
        if (m_rules.ignoreMerges) {
            const auto whole = m_table.find(m_rules.byteLevel ? toByteSymbols(word) : word);
            if (whole)
                return {{*whole, {0, word.size()}}};
        }
        Symbols symbols = m_rules.byteLevel ? bytesOf(word) : charactersOf(word);
        const std::vector<std::size_t> ends = m_merges.applyCounting(symbols.ids);
        std::vector<WordToken> tokens;
        std::size_t begin = 0;
        for (std::size_t i = 0; i < symbols.ids.size(); ++i) {
            tokens.push_back(
                {symbols.ids[i], {symbols.bytes[begin].begin, symbols.bytes[ends[i] - 1].end}});
            begin = ends[i];
        }
        return tokens;
    }

private:
    void indexMerges()
    {
        m_merges.reserve(m_rules.merges.size());
        for (std::size_t rank = 0; rank < m_rules.merges.size(); ++rank) {
            const auto [left, right] = m_rules.merges[rank];
            const std::string joined = m_table.text(left) + m_table.text(right);
            const auto merged = m_table.find(joined);
            if (!merged)
                throw Error(fmt::format("merge {} makes {}, which is not in the vocabulary", rank,
                                        inQuotes(displayText(joined))));
            m_merges.add(left, right, {static_cast<std::int32_t>(rank), *merged});
        }
    }

    Symbols bytesOf(std::string_view word) const
    {
        Symbols symbols;
        for (std::size_t at = 0; at < word.size(); ++at) {
            const TokenId id = m_byteIds[static_cast<unsigned char>(word[at])];
            if (id >= 0)
                add(id, {at, at + 1}, symbols);
            else
                addUnknown({at, at + 1}, symbols);
        }
        return symbols;
    }

    Symbols charactersOf(std::string_view word) const
    {
        Symbols symbols;
        std::vector<WordToken> bytes;
        for (std::size_t at = 0; at < word.size();) {
            const ByteRange here{at, at + utf8CharacterAt(word, at).length};
            bytes.clear();
            if (const auto id = m_table.find(word.substr(here.begin, here.end - here.begin))) {
                add(*id, here, symbols);
            } else if (m_rules.byteFallback && m_byteTokens.append(word, here, bytes)) {
                for (const WordToken& byte : bytes)
                    add(byte.id, byte.bytes, symbols);
            } else {
                addUnknown(here, symbols);
            }
            at = here.end;
        }
        return symbols;
    }

    static void add(TokenId id, ByteRange bytes, Symbols& symbols)
    {
        symbols.ids.push_back(id);
        symbols.bytes.push_back(bytes);
    }

    void addUnknown(ByteRange bytes, Symbols& symbols) const
    {
        if (!m_rules.unknown)
            return;
        const bool fuses = m_rules.fuseUnknown && !symbols.ids.empty() &&
                           symbols.ids.back() == *m_rules.unknown &&
                           symbols.bytes.back().end == bytes.begin;
        if (fuses)
            symbols.bytes.back().end = bytes.end;
        else
            add(*m_rules.unknown, bytes, symbols);
    }

    const TokenTable& m_table;
    BpeRules m_rules;
    BpeMerges m_merges;
    ByteTokens m_byteTokens;
    std::array<TokenId, 256> m_byteIds{};
};

} // namespace

WordModelPtr bpeModel(const TokenTable& table, const BpeRules& rules)
{
    return std::make_unique<BpeModel>(table, rules);
}

} // namespace headscope
