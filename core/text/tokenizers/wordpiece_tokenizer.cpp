#include "core/text/tokenizers/wordpiece_tokenizer.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

TokenId required(const TokenTable& table, const std::string& token)
{
    const auto id = table.find(token);
    if (!id)
        throw Error(fmt::format("the vocabulary has no token {}", inQuotes(displayText(token))));
    return *id;
}

std::size_t characterCount(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

bool beginsCharacter(std::string_view text, std::size_t at)
{
    return at == text.size() || (text[at] & 0xC0) != 0x80;
}

bool standsBehindWord(std::string_view token)
{
    return token == "." || token == "?" || token == "!" || token == ",";
}

} // namespace

WordPieceVocabulary bertVocabulary(std::vector<std::string> tokens,
                                   const BertNormalization& normalization)
{
    WordPieceVocabulary result;
    result.normalization = normalization;
    const auto idOf = [&](std::string_view name) {
        const auto found = std::ranges::find(tokens, name);
        if (found == tokens.end())
            throw Error(fmt::format("the vocabulary has no token \"{}\"", name));
        return static_cast<TokenId>(found - tokens.begin());
    };
    result.textPrefix = {idOf("[CLS]")};
    result.textSuffix = {idOf("[SEP]")};
    for (std::size_t id = 0; id < tokens.size(); ++id) {
        for (const char* special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
            if (tokens[id] == special)
                result.addedTokens.push_back({static_cast<TokenId>(id), special, true, false});
        }
    }
    result.tokens = std::move(tokens);
    return result;
}

WordPieceTokenizer::WordPieceTokenizer(WordPieceVocabulary vocabulary)
    : m_vocabulary(std::move(vocabulary))
    , m_table(m_vocabulary.tokens, m_vocabulary.addedTokens, "WordPieceTokenizer")
    , m_added(m_vocabulary.addedTokens)
    , m_unknown(required(m_table, m_vocabulary.unknown))
{
    m_table.check(m_vocabulary.textPrefix, "the post-processor");
    m_table.check(m_vocabulary.textSuffix, "the post-processor");
    for (const std::string& token : m_vocabulary.tokens)
        m_longestPiece = std::max(m_longestPiece, token.size());
}

std::optional<Token> WordPieceTokenizer::longestPiece(std::string_view word,
                                                      std::size_t begin) const
{
    std::string piece = begin > 0 ? m_vocabulary.continuation : std::string();
    const std::size_t mark = piece.size();
    std::size_t end = std::min(word.size(), begin + m_longestPiece);
    piece += word.substr(begin, end - begin);
    for (; end > begin; --end) {
        if (beginsCharacter(word, end)) {
            piece.resize(mark + end - begin);
            if (const auto id = m_table.find(piece))
                return Token{*id, {begin, end}, false};
        }
    }
    return std::nullopt;
}

void WordPieceTokenizer::appendWord(const NormalizedText& text, ByteRange word, std::size_t offset,
                                    std::vector<Token>& tokens) const
{
    const std::string_view letters =
        std::string_view(text.text).substr(word.begin, word.end - word.begin);
    const auto inOriginal = [&](ByteRange part) {
        const ByteRange source = text.sourceOf({word.begin + part.begin, word.begin + part.end});
        return ByteRange{offset + source.begin, offset + source.end};
    };
    const std::size_t before = tokens.size();
    bool isKnown = characterCount(letters) <= m_vocabulary.longestWord;
    for (std::size_t at = 0; isKnown && at < letters.size();) {
        const auto piece = longestPiece(letters, at);
        isKnown = piece.has_value();
        if (isKnown) {
            tokens.push_back({piece->id, inOriginal(piece->bytes), false});
            at = piece->bytes.end;
        }
    }
    if (!isKnown) {
        tokens.resize(before);
        tokens.push_back(
            {m_unknown, inOriginal({0, letters.size()}), m_table.isSpecial(m_unknown)});
    }
}

TokenSequence WordPieceTokenizer::encode(std::string_view text, bool addSpecial) const
{
    TokenSequence sequence;
    sequence.text = text;
    for (const auto& piece : m_added.split(text)) {
        if (piece.id >= 0) {
            sequence.tokens.push_back({piece.id, piece.bytes, isSpecial(piece.id)});
            continue;
        }
        const NormalizedText normalized =
            normalizeForBert(text.substr(piece.bytes.begin, piece.bytes.end - piece.bytes.begin),
                             m_vocabulary.normalization);
        for (const ByteRange& word : splitBertWords(normalized.text))
            appendWord(normalized, word, piece.bytes.begin, sequence.tokens);
    }
    if (addSpecial)
        TokenTable::surround(sequence.tokens, m_vocabulary.textPrefix, m_vocabulary.textSuffix);
    return sequence;
}

std::string WordPieceTokenizer::decode(std::span<const TokenId> ids, bool skipSpecial) const
{
    std::string text;
    bool isFirst = true;
    for (const TokenId id : ids) {
        const std::string& token = m_table.text(id);
        if (skipSpecial && m_table.isSpecial(id))
            continue;
        if (!isFirst && token.starts_with(m_vocabulary.continuation)) {
            text += std::string_view(token).substr(m_vocabulary.continuation.size());
        } else {
            if (!isFirst && !standsBehindWord(token))
                text += ' ';
            text += token;
        }
        isFirst = false;
    }
    return text;
}

std::string WordPieceTokenizer::tokenBytes(TokenId id) const
{
    const std::string& token = m_table.text(id);
    const std::string& mark = m_vocabulary.continuation;
    if (m_table.isSpecial(id) || !token.starts_with(mark) || token.size() == mark.size())
        return token;
    return token.substr(mark.size());
}

} // namespace headscope
