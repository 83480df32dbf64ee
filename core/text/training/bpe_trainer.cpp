#include "core/text/training/bpe_trainer.h"

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/text/splitting/pretokenizer.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/text/training/bpe_pair_counts.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace headscope {

namespace {

using WordCounts = std::unordered_map<std::string, std::int64_t>;

void checkSettings(const BpeTrainerSettings& settings)
{
    const std::size_t smallest = settings.specialTokens.size() + 256;
    if (settings.vocabularySize < smallest)
        throw Error(fmt::format("a vocabulary of {} entries is too small", settings.vocabularySize),
                    "trainBpe",
                    fmt::format("Use at least {}: the special tokens and 256 bytes", smallest));
    if (settings.vocabularySize > (std::size_t{1} << 24))
        throw Error(fmt::format("a vocabulary of {} entries is too large", settings.vocabularySize),
                    "trainBpe", "Use at most 16777216");
}

/// Special tokens first, then the bytes.
BpeVocabulary startingVocabulary(const BpeTrainerSettings& settings)
{
    BpeVocabulary vocabulary;
    vocabulary.addPrefixSpace = settings.addPrefixSpace;
    for (const std::string& content : settings.specialTokens) {
        vocabulary.addedTokens.push_back(
            {static_cast<TokenId>(vocabulary.tokens.size()), content, true, false});
        vocabulary.tokens.push_back(content);
    }
    for (const std::uint8_t byte : bytesBySymbol())
        vocabulary.tokens.emplace_back(byteSymbol(byte));
    return vocabulary;
}

class Trainer
{
public:
    Trainer(const BpeTrainerSettings& settings, std::stop_token stop)
        : m_settings(settings)
        , m_stop(std::move(stop))
        , m_vocabulary(startingVocabulary(settings))
    {
        for (std::size_t id = 0; id < m_vocabulary.tokens.size(); ++id)
            m_ids.emplace(m_vocabulary.tokens[id], static_cast<TokenId>(id));
    }

    void read(std::span<const std::string_view> texts)
    {
        const AddedTokenFinder specials(m_vocabulary.addedTokens);
        WordCounts words;
        for (const std::string_view text : texts) {
            for (const auto& piece : specials.split(text)) {
                if (piece.id < 0)
                    countText(text.substr(piece.bytes.begin, piece.bytes.end - piece.bytes.begin),
                              words);
            }
            leaveIfStopped();
        }
        for (const auto& [word, count] : words)
            m_pairs.addWord(byteIds(word), count);
        m_pairs.start();
    }

    BpeVocabulary learn(const BpeProgress& progress)
    {
        auto& tokens = m_vocabulary.tokens;
        const std::size_t wanted = m_settings.vocabularySize - tokens.size();
        while (tokens.size() < m_settings.vocabularySize) {
            const auto pair =
                m_pairs.mostFrequent(std::max<std::int64_t>(m_settings.minimumCount, 1));
            if (!pair)
                break;
            const BpeMerge merge{*pair, idOfMerged(*pair), m_pairs.count(*pair)};
            m_pairs.merge(*pair, merge.merged);
            if (m_settings.onMerge)
                m_settings.onMerge(merge);
            m_vocabulary.merges.push_back(*pair);
            if (m_vocabulary.merges.size() % 64 == 0) {
                leaveIfStopped();
                if (progress)
                    progress(m_vocabulary.merges.size(), wanted);
            }
        }
        return std::move(m_vocabulary);
    }

private:
    void leaveIfStopped() const { throwIfStopped(m_stop); }

    void countText(std::string_view text, WordCounts& words) const
    {
        std::string prefixed;
        if (m_settings.addPrefixSpace && text.front() != ' ')
            text = prefixed = std::string(1, ' ').append(text);
        for (const ByteRange& word : splitWords(text))
            ++words[std::string(text.substr(word.begin, word.end - word.begin))];
    }

    std::vector<TokenId> byteIds(std::string_view word) const
    {
        std::vector<TokenId> ids;
        ids.reserve(word.size());
        for (const char byte : word)
            ids.push_back(m_ids.at(std::string(byteSymbol(static_cast<std::uint8_t>(byte)))));
        return ids;
    }

    /// Id of a merged text, which two pairs may share.
    TokenId idOfMerged(BpePairCounts::Pair pair)
    {
        auto& tokens = m_vocabulary.tokens;
        std::string text = tokens[static_cast<std::size_t>(pair.first)] +
                           tokens[static_cast<std::size_t>(pair.second)];
        const auto [entry, isNew] = m_ids.emplace(text, static_cast<TokenId>(tokens.size()));
        if (isNew)
            tokens.push_back(std::move(text));
        return entry->second;
    }

    const BpeTrainerSettings& m_settings;
    std::stop_token m_stop;
    BpeVocabulary m_vocabulary;
    std::unordered_map<std::string, TokenId> m_ids;
    BpePairCounts m_pairs;
};

} // namespace

std::shared_ptr<const BpeTokenizer> trainBpe(std::span<const std::string_view> texts,
                                             const BpeTrainerSettings& settings,
                                             const BpeProgress& progress, std::stop_token stop)
{
    checkSettings(settings);
    // rejects empty and duplicate special tokens
    const BpeTokenizer check(startingVocabulary(settings));
    Trainer trainer(settings, std::move(stop));
    trainer.read(texts);
    return std::make_shared<const BpeTokenizer>(trainer.learn(progress));
}

std::shared_ptr<const BpeTokenizer> trainBpeOnLines(std::string_view text,
                                                    const BpeTrainerSettings& settings,
                                                    const BpeProgress& progress,
                                                    std::stop_token stop)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!line.empty())
            lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return trainBpe(lines, settings, progress, std::move(stop));
}

} // namespace headscope
