#include "core/text/training/wordpiece_trainer.h"

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/text/utf8.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <unordered_set>

namespace headscope {

namespace {

constexpr std::size_t kLargestVocabulary = std::size_t{1} << 20;

using Pair = std::pair<TokenId, TokenId>;

struct Word
{
    std::vector<TokenId> pieces;
    std::int64_t count = 0;
};

struct PairEntry
{
    std::int64_t count = 0;
    std::unordered_set<std::size_t> words; ///< Words in which it occurs or occurred.
};

/// All words as pieces, with their counts.
class Learner
{
public:
    Learner(const WordPieceTrainerSettings& settings, const std::stop_token& stop)
        : m_settings(settings)
        , m_stop(stop)
    {
    }

    void read(const std::map<std::string, std::int64_t>& words)
    {
        std::set<std::string> plain;
        std::set<std::string> going;
        for (const auto& [word, count] : words)
            forCharacters(word, [&](std::string_view character, bool isFirst) {
                isFirst ? plain.emplace(character) : going.emplace(character);
            });
        m_tokens = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
        for (const std::string& character : plain)
            add(character);
        for (const std::string& character : going)
            add("##" + character);
        if (m_tokens.size() > m_settings.vocabularySize)
            throw Error(
                fmt::format("a vocabulary of {} entries is too small", m_settings.vocabularySize),
                "trainWordPiece",
                fmt::format("Use at least {}: the special tokens and the characters of the text",
                            m_tokens.size()));
        for (const auto& [word, count] : words)
            addWord(word, count);
    }

    std::vector<std::string> learn(const std::function<void(std::size_t, std::size_t)>& progress)
    {
        const std::size_t wanted = m_settings.vocabularySize - m_tokens.size();
        const std::size_t first = m_tokens.size();
        while (m_tokens.size() < m_settings.vocabularySize) {
            throwIfStopped(m_stop);
            const auto pair = best();
            if (!pair)
                break;
            join(*pair);
            if (progress && (m_tokens.size() - first) % 64 == 0)
                progress(m_tokens.size() - first, wanted);
        }
        return std::move(m_tokens);
    }

private:
    template<class Body>
    static void forCharacters(std::string_view word, const Body& body)
    {
        for (std::size_t at = 0; at < word.size();) {
            const std::size_t length = utf8CharacterAt(word, at).length;
            body(word.substr(at, length), at == 0);
            at += length;
        }
    }

    TokenId add(const std::string& token)
    {
        const auto [entry, isNew] = m_ids.emplace(token, static_cast<TokenId>(m_tokens.size()));
        if (isNew)
            m_tokens.push_back(token);
        m_counts.resize(m_tokens.size(), 0);
        return entry->second;
    }

    void addWord(const std::string& text, std::int64_t count)
    {
        Word word;
        word.count = count;
        forCharacters(text, [&](std::string_view character, bool isFirst) {
            word.pieces.push_back(m_ids.at((isFirst ? "" : "##") + std::string(character)));
        });
        m_words.push_back(std::move(word));
        countWord(m_words.size() - 1, 1);
    }

    /// Adds a word to the counts (sign 1) or removes it (-1).
    void countWord(std::size_t index, int sign)
    {
        const Word& word = m_words[index];
        const std::int64_t count = sign * word.count;
        for (std::size_t i = 0; i < word.pieces.size(); ++i) {
            m_counts[static_cast<std::size_t>(word.pieces[i])] += count;
            m_total += count;
            if (i + 1 == word.pieces.size())
                break;
            const Pair pair{word.pieces[i], word.pieces[i + 1]};
            PairEntry& entry = m_pairs[pair];
            entry.count += count;
            if (sign > 0)
                entry.words.insert(index);
            else if (entry.count == 0)
                m_pairs.erase(pair);
        }
    }

    double gain(const Pair& pair, std::int64_t count) const
    {
        const auto n = static_cast<double>(count);
        const auto left = static_cast<double>(m_counts[static_cast<std::size_t>(pair.first)]);
        const auto right = static_cast<double>(m_counts[static_cast<std::size_t>(pair.second)]);
        return n * std::log(n * static_cast<double>(m_total) / (left * right));
    }

    std::optional<Pair> best() const
    {
        std::optional<Pair> result;
        double highest = 0.0;
        for (const auto& [pair, entry] : m_pairs) {
            if (entry.count < std::max<std::int64_t>(m_settings.minimumCount, 1))
                continue;
            const double here = gain(pair, entry.count);
            if (!result || here > highest) {
                result = pair;
                highest = here;
            }
        }
        return result;
    }

    void join(const Pair& pair)
    {
        const TokenId joined = add(m_tokens[static_cast<std::size_t>(pair.first)] +
                                   m_tokens[static_cast<std::size_t>(pair.second)].substr(2));
        const std::unordered_set<std::size_t> places = m_pairs.at(pair).words;
        for (const std::size_t index : places) {
            countWord(index, -1);
            std::vector<TokenId>& pieces = m_words[index].pieces;
            for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
                if (Pair(pieces[i], pieces[i + 1]) != pair)
                    continue;
                pieces[i] = joined;
                pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            }
            countWord(index, 1);
        }
    }

    const WordPieceTrainerSettings& m_settings;
    const std::stop_token& m_stop;
    std::vector<std::string> m_tokens;
    std::map<std::string, TokenId> m_ids;
    std::vector<Word> m_words;
    std::map<Pair, PairEntry> m_pairs;  ///< Ordered: the first of equals is the smallest.
    std::vector<std::int64_t> m_counts; ///< Count of each piece.
    std::int64_t m_total = 0;           ///< Count of all pieces.
};

std::map<std::string, std::int64_t> wordsOf(std::string_view text,
                                            const WordPieceTrainerSettings& settings,
                                            const std::stop_token& stop)
{
    std::map<std::string, std::int64_t> words;
    while (!text.empty()) {
        throwIfStopped(stop);
        const std::size_t end = std::min(text.find('\n'), text.size());
        const NormalizedText line = normalizeForBert(text.substr(0, end), settings.normalization);
        for (const ByteRange& word : splitBertWords(line.text))
            ++words[line.text.substr(word.begin, word.end - word.begin)];
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

} // namespace

std::shared_ptr<const WordPieceTokenizer>
trainWordPieceOnLines(std::string_view text, const WordPieceTrainerSettings& settings,
                      const std::function<void(std::size_t, std::size_t)>& progress,
                      const std::stop_token& stop)
{
    if (settings.vocabularySize > kLargestVocabulary)
        throw Error(fmt::format("a vocabulary of {} entries is too large", settings.vocabularySize),
                    "trainWordPiece", fmt::format("Use at most {}", kLargestVocabulary));
    Learner learner(settings, stop);
    learner.read(wordsOf(text, settings, stop));
    return std::make_shared<const WordPieceTokenizer>(
        bertVocabulary(learner.learn(progress), settings.normalization));
}

} // namespace headscope
