#include "core/text/tokenizers/pipeline_tokenizer.h"

#include "core/text/tokenizers/byte_alphabet.h"
#include "core/text/tokenizers/byte_tokens.h"

#include <unordered_map>

namespace headscope {

namespace {

AddedTokenFinder finderFor(const TokenizerParts& parts, bool normalized)
{
    std::vector<AddedToken> chosen;
    for (AddedToken token : parts.addedTokens) {
        if (token.normalized != normalized)
            continue;
        if (normalized && parts.normalizer != nullptr)
            token.content = parts.normalizer(NormalizedText::of(token.content)).text;
        if (!token.content.empty())
            chosen.push_back(std::move(token));
    }
    return AddedTokenFinder(chosen);
}

std::string replaced(std::string text, std::string_view mark, char with)
{
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1))
        text.replace(at, mark.size(), 1, with);
    return text;
}

} // namespace

PipelineTokenizer::PipelineTokenizer(TokenizerParts parts)
    : m_parts(std::move(parts))
    , m_addedBefore(finderFor(m_parts, false))
    , m_addedAfterwards(finderFor(m_parts, true))
    , m_isAdded(m_parts.table->size(), false)
{
    for (const auto* around : {&m_parts.textPrefix, &m_parts.textSuffix})
        m_parts.table->check(*around, "the post-processor");
    for (const AddedToken& token : m_parts.addedTokens)
        m_isAdded[m_parts.table->index(token.id)] = true;
    if (!m_parts.endOfText)
        m_parts.endOfText = m_parts.table->usualEndOfText();
}

/// State of one call of encode: output tokens, and the words seen so far.
class PipelineTokenizer::Encoding
{
public:
    Encoding(const PipelineTokenizer& tokenizer, std::string_view text)
        : m_tokenizer(tokenizer)
        , m_parts(tokenizer.m_parts)
        , m_text(text)
    {
    }

    std::vector<Token> run()
    {
        for (const auto& piece : m_tokenizer.m_addedBefore.split(m_text)) {
            if (piece.id >= 0)
                add(piece.id, piece.bytes);
            else
                encodeRest(piece.bytes);
        }
        return std::move(m_tokens);
    }

private:
    static constexpr std::size_t kLongestRemembered = 64;
    static constexpr std::size_t kMostRemembered = 100'000;

    void add(TokenId id, ByteRange bytes)
    {
        m_tokens.push_back({id, bytes, m_parts.table->isSpecial(id)});
    }

    void encodeRest(ByteRange range)
    {
        NormalizedText text =
            NormalizedText::of(m_text.substr(range.begin, range.end - range.begin), range.begin);
        if (m_parts.normalizer != nullptr)
            text = m_parts.normalizer(text);
        for (const auto& piece : m_tokenizer.m_addedAfterwards.split(text.text)) {
            if (piece.id >= 0) {
                add(piece.id, text.sourceOf(piece.bytes));
                continue;
            }
            WordList list;
            list.text.append(text, piece.bytes);
            encodeWords(std::move(list));
        }
    }

    void encodeWords(WordList&& list)
    {
        list.words = {{0, list.text.text.size()}};
        if (m_parts.splitter != nullptr)
            m_parts.splitter(list);
        for (const ByteRange& word : list.words) {
            for (const WordToken& token : tokensOf(list.text.part(word)))
                add(token.id, list.text.placeOf(
                                  {word.begin + token.bytes.begin, word.begin + token.bytes.end}));
        }
    }

    const std::vector<WordToken>& tokensOf(std::string_view word)
    {
        if (!m_parts.model->wordsRepeat() || word.size() > kLongestRemembered ||
            m_seen.size() >= kMostRemembered) {
            m_last = m_parts.model->tokensOf(word);
            return m_last;
        }
        const auto [entry, isNew] = m_seen.try_emplace(std::string(word));
        if (isNew)
            entry->second = m_parts.model->tokensOf(entry->first);
        return entry->second;
    }

    const PipelineTokenizer& m_tokenizer;
    const TokenizerParts& m_parts;
    std::string_view m_text;
    std::vector<Token> m_tokens;
    std::unordered_map<std::string, std::vector<WordToken>> m_seen;
    std::vector<WordToken> m_last;
};

TokenSequence PipelineTokenizer::encode(std::string_view text, bool addSpecial) const
{
    TokenSequence sequence;
    sequence.text = text;
    sequence.tokens = Encoding(*this, text).run();
    if (addSpecial)
        TokenTable::surround(sequence.tokens, m_parts.textPrefix, m_parts.textSuffix);
    return sequence;
}

std::string PipelineTokenizer::decode(std::span<const TokenId> ids, bool skipSpecial) const
{
    std::vector<std::string> texts;
    for (const TokenId id : ids) {
        const bool isUnknown = id == m_parts.unknown && !m_parts.unknownText.empty();
        if (isUnknown)
            texts.push_back(m_parts.unknownText);
        else if (!skipSpecial || !isSpecial(id))
            texts.push_back(tokenText(id));
    }
    if (m_parts.decoder != nullptr)
        texts = m_parts.decoder(std::move(texts));
    std::string all;
    for (const std::string& text : texts) {
        if (m_parts.decoder == nullptr && !all.empty())
            all += ' ';
        all += text;
    }
    return all;
}

std::string PipelineTokenizer::tokenBytes(TokenId id) const
{
    const TokenSpelling& spelling = m_parts.spelling;
    const std::string& text = tokenText(id);
    if (m_isAdded[static_cast<std::size_t>(id)] || isSpecial(id))
        return text;
    if (spelling.byteLevel)
        return fromByteSymbols(text).value_or(text);
    const auto byte = spelling.byteFallback ? ByteTokens::byteOf(text) : std::nullopt;
    if (byte)
        return std::string(1, *byte);
    for (const std::string* mark : {&spelling.wordMark, &spelling.continuation}) {
        if (!mark->empty() && text.starts_with(*mark) && text.size() > mark->size())
            return text.substr(mark->size());
    }
    return spelling.space.empty() ? text : replaced(text, spelling.space, ' ');
}

} // namespace headscope
