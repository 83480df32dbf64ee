#include "core/text/tokenizers/bpe_tokenizer.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"
#include "core/text/splitting/pretokenizer.h"
#include "core/text/tokenizers/byte_alphabet.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace headscope {

namespace {

AddedTokenFinder finderFor(const std::vector<AddedToken>& tokens, bool normalized)
{
    std::vector<AddedToken> chosen;
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(chosen),
                 [&](const AddedToken& token) { return token.normalized == normalized; });
    return AddedTokenFinder(chosen);
}

} // namespace

BpeTokenizer::BpeTokenizer(BpeVocabulary vocabulary)
    : m_vocabulary(std::move(vocabulary))
    , m_addedBefore(finderFor(m_vocabulary.addedTokens, false))
    , m_addedAfterwards(finderFor(m_vocabulary.addedTokens, true))
    , m_table(m_vocabulary.tokens, m_vocabulary.addedTokens, "BpeTokenizer")
{
    m_bytes.reserve(m_table.size());
    for (const std::string& token : m_vocabulary.tokens)
        m_bytes.push_back(fromByteSymbols(token).value_or(token));
    for (const AddedToken& token : m_vocabulary.addedTokens)
        m_bytes[m_table.index(token.id)] = token.content;
    indexBytes();
    indexMerges();
    m_table.check(m_vocabulary.textPrefix, "the post-processor");
    m_table.check(m_vocabulary.textSuffix, "the post-processor");
}

void BpeTokenizer::indexBytes()
{
    for (std::size_t byte = 0; byte < m_byteIds.size(); ++byte) {
        const std::string_view symbol = byteSymbol(static_cast<std::uint8_t>(byte));
        const auto id = find(symbol);
        if (!id)
            throw Error(fmt::format("the vocabulary lacks \"{}\", the symbol of byte {:#04x}",
                                    symbol, byte));
        checkStandsFor(*id, std::string(1, static_cast<char>(byte)));
        m_byteIds[byte] = *id;
    }
}

void BpeTokenizer::indexMerges()
{
    const auto& merges = m_vocabulary.merges;
    m_merges.reserve(merges.size());
    for (std::size_t rank = 0; rank < merges.size(); ++rank) {
        const auto [left, right] = merges[rank];
        m_table.check(std::array{left, right}, "a merge");
        const std::string joined = tokenText(left) + tokenText(right);
        const auto merged = find(joined);
        if (!merged)
            throw Error(fmt::format("merge {} makes {}, which is not in the vocabulary", rank,
                                    inQuotes(displayText(joined))));
        checkStandsFor(*merged, tokenBytes(left) + tokenBytes(right));
        m_merges.add(left, right, {static_cast<std::int32_t>(rank), *merged});
    }
}

/// Checks that an added token stands for its own text; if merges produce it too, the bytes must be
/// the same.
void BpeTokenizer::checkStandsFor(TokenId id, const std::string& bytes) const
{
    if (m_bytes[static_cast<std::size_t>(id)] != bytes)
        throw Error(fmt::format("the token {} stands for two different texts",
                                inQuotes(displayText(tokenText(id)))));
}

std::vector<TokenId> BpeTokenizer::encodeWord(std::string_view word) const
{
    if (m_vocabulary.ignoreMerges) {
        if (const auto id = find(toByteSymbols(word)); id && tokenBytes(*id) == word)
            return {*id};
    }
    std::vector<TokenId> symbols(word.size());
    std::transform(word.begin(), word.end(), symbols.begin(),
                   [this](char byte) { return m_byteIds[static_cast<std::uint8_t>(byte)]; });
    m_merges.apply(symbols);
    return symbols;
}

/// State of one call of encode: output tokens, and the words seen so far.
class BpeTokenizer::Encoding
{
public:
    Encoding(const BpeTokenizer& tokenizer, std::string_view text)
        : m_tokenizer(tokenizer)
        , m_text(text)
    {
    }

    std::vector<Token> run()
    {
        for (const auto& piece : m_tokenizer.m_addedBefore.split(m_text)) {
            if (piece.id >= 0)
                addWhole(piece);
            else
                encodeRest(piece.bytes);
        }
        return std::move(m_tokens);
    }

private:
    static constexpr std::size_t kLongestRemembered = 64;
    static constexpr std::size_t kMostRemembered = 100'000;

    void addWhole(const AddedTokenFinder::Piece& piece)
    {
        m_tokens.push_back({piece.id, piece.bytes, m_tokenizer.isSpecial(piece.id)});
    }

    void encodeRest(ByteRange range)
    {
        const std::string_view part = m_text.substr(range.begin, range.end - range.begin);
        for (auto piece : m_tokenizer.m_addedAfterwards.split(part)) {
            piece.bytes.begin += range.begin;
            piece.bytes.end += range.begin;
            if (piece.id >= 0)
                addWhole(piece);
            else
                encodePlain(piece.bytes);
        }
    }

    void encodePlain(ByteRange range)
    {
        const std::string_view part = m_text.substr(range.begin, range.end - range.begin);
        if (!m_tokenizer.m_vocabulary.addPrefixSpace || part.front() == ' ')
            encodeWords(part, range.begin, 0);
        else
            encodeWords(std::string(1, ' ').append(part), range.begin, 1);
    }

    /// Encodes `part`, which begins at `begin` of the text except for its first `added` bytes,
    /// which are not in the text.
    void encodeWords(std::string_view part, std::size_t begin, std::size_t added)
    {
        const auto words = m_tokenizer.m_vocabulary.splitWords
                               ? splitWords(part)
                               : std::vector<ByteRange>{{0, part.size()}};
        for (const ByteRange& word : words) {
            std::size_t position = word.begin;
            for (const TokenId id :
                 symbolsOf(std::string(part.substr(word.begin, word.end - word.begin)))) {
                const std::size_t next =
                    position + m_tokenizer.m_bytes[static_cast<std::size_t>(id)].size();
                m_tokens.push_back({id,
                                    {begin + std::max(position, added) - added,
                                     begin + std::max(next, added) - added},
                                    false});
                position = next;
            }
        }
    }

    const std::vector<TokenId>& symbolsOf(std::string&& word)
    {
        if (word.size() > kLongestRemembered || m_seen.size() >= kMostRemembered) {
            m_last = m_tokenizer.encodeWord(word);
            return m_last;
        }
        const auto [entry, isNew] = m_seen.try_emplace(std::move(word));
        if (isNew)
            entry->second = m_tokenizer.encodeWord(entry->first);
        return entry->second;
    }

    const BpeTokenizer& m_tokenizer;
    std::string_view m_text;
    std::vector<Token> m_tokens;
    std::unordered_map<std::string, std::vector<TokenId>> m_seen;
    std::vector<TokenId> m_last;
};

TokenSequence BpeTokenizer::encode(std::string_view text, bool addSpecial) const
{
    TokenSequence sequence;
    sequence.text = text;
    sequence.tokens = Encoding(*this, text).run();
    if (addSpecial)
        TokenTable::surround(sequence.tokens, m_vocabulary.textPrefix, m_vocabulary.textSuffix);
    return sequence;
}

std::string BpeTokenizer::decode(std::span<const TokenId> ids, bool skipSpecial) const
{
    std::string text;
    for (const TokenId id : ids) {
        if (const std::size_t index = m_table.index(id); !skipSpecial || !isSpecial(id))
            text += m_bytes[index];
    }
    return text;
}

} // namespace headscope
