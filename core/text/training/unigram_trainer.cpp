#include "core/text/training/unigram_trainer.h"

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/text/utf8.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace headscope {

namespace {

constexpr std::size_t kLargestVocabulary = std::size_t{1} << 20;
constexpr double kKept = 0.75;       ///< Fraction of the pieces kept at each pruning.
constexpr double kRareCount = 0.5;   ///< Expected count below which a piece is dropped.
constexpr int kFits = 2;             ///< Rounds of expectation maximisation between prunings.
constexpr double kRoom = 1.1;        ///< Pruning ends at this multiple of the requested pieces.
constexpr double kUnknown = -1000.0; ///< Log-probability; unused, as every character is a piece.
constexpr std::size_t kControls = 3; ///< <pad> </s> <unk>

/// A word, or a part of one that pieces do not cross.
struct Part
{
    std::string text;
    double count = 0.0;
};

int classOf(char32_t c)
{
    const auto character = static_cast<UChar32>(c);
    const auto mask = U_GET_GC_MASK(character);
    if ((mask & (U_GC_L_MASK | U_GC_M_MASK)) != 0)
        return 0;
    return (mask & U_GC_N_MASK) != 0 ? 1 : 2;
}

/// Splits before every "▁" and between letters, digits and other signs.
template<class Body>
void forParts(std::string_view text, const Body& body)
{
    std::size_t begin = 0;
    int kind = -1; ///< Kind of the part; -1: nothing but "▁" so far.
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = utf8CharacterAt(text, at);
        const bool isSpace = text.substr(at).starts_with(kPieceSpace);
        const int here = isSpace ? -1 : classOf(character.codePoint);
        if (at > begin && (isSpace || (kind >= 0 && here != kind))) {
            body(text.substr(begin, at - begin));
            begin = at;
        }
        kind = here;
        at += character.length;
    }
    if (begin < text.size())
        body(text.substr(begin));
}

std::vector<Part> partsOf(std::string_view text, const UnigramTrainerSettings& settings,
                          const std::stop_token& stop)
{
    std::map<std::string, double> counts;
    while (!text.empty()) {
        throwIfStopped(stop);
        const std::size_t end = std::min(text.find('\n'), text.size());
        const NormalizedText line = normalizeForPieces(text.substr(0, end), settings.normalization);
        forParts(line.text, [&](std::string_view part) { ++counts[std::string(part)]; });
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::vector<Part> parts;
    for (auto& [part, count] : counts)
        parts.push_back({part, count});
    return parts;
}

/// Offsets of the characters of a text, and its end.
std::vector<std::size_t> bordersOf(std::string_view text)
{
    std::vector<std::size_t> borders;
    for (std::size_t at = 0; at < text.size(); at += utf8CharacterAt(text, at).length)
        borders.push_back(at);
    borders.push_back(text.size());
    return borders;
}

/// Digamma: ln of the geometric mean that a Dirichlet distribution of these counts expects
/// (asymptotic series, after shifting x above 7).
double digamma(double x)
{
    double shift = 0.0;
    for (; x < 7.0; ++x)
        shift -= 1.0 / x;
    x -= 0.5;
    const double inverse = 1.0 / (x * x);
    return shift + std::log(x) +
           inverse * (1.0 / 24.0 - inverse * (7.0 / 960.0 - inverse * 31.0 / 8064.0));
}

struct Candidate
{
    std::string text;
    double score = 0.0; ///< A count while seeding, ln p later.
    bool isCharacter = false;
};

/// Orders larger scores first; equal ones by text, so that the same text gives the same pieces.
bool comesFirst(const Candidate& a, const Candidate& b)
{
    return a.score != b.score ? a.score > b.score : a.text < b.text;
}

class Learner
{
public:
    Learner(const std::vector<Part>& parts, const UnigramTrainerSettings& settings,
            const std::stop_token& stop)
        : m_parts(parts)
        , m_settings(settings)
        , m_stop(stop)
    {
    }

    std::vector<Candidate> learn(const std::function<void(double)>& progress)
    {
        seed();
        const std::size_t wanted = m_settings.vocabularySize - kControls;
        const auto border = static_cast<std::size_t>(kRoom * static_cast<double>(wanted));
        const std::size_t first = m_pieces.size();
        for (;;) {
            for (int fit = 0; fit < kFits; ++fit)
                maximise();
            if (m_pieces.size() <= std::max(border, m_characters))
                break;
            if (progress)
                progress(
                    std::log(static_cast<double>(first) / static_cast<double>(m_pieces.size())) /
                    std::log(static_cast<double>(first) / static_cast<double>(border)));
            if (!prune(std::max(border, m_characters)))
                break;
        }
        finish(wanted);
        return std::move(m_pieces);
    }

private:
    void leaveIfStopped() const { throwIfStopped(m_stop); }

    void seed()
    {
        std::map<std::string, double> characters;
        std::unordered_map<std::string, double> longer;
        for (const Part& part : m_parts) {
            leaveIfStopped();
            const std::vector<std::size_t> at = bordersOf(part.text);
            for (std::size_t i = 0; i + 1 < at.size(); ++i) {
                characters[part.text.substr(at[i], at[i + 1] - at[i])] += part.count;
                const std::size_t last = std::min(at.size() - 1, i + m_settings.longestPiece);
                for (std::size_t j = i + 2; j <= last; ++j)
                    longer[part.text.substr(at[i], at[j] - at[i])] += part.count;
            }
        }
        for (const auto& [text, count] : characters)
            m_pieces.push_back({text, count, true});
        m_characters = m_pieces.size();
        if (m_characters + kControls > m_settings.vocabularySize)
            throw Error(
                fmt::format("a vocabulary of {} entries is too small", m_settings.vocabularySize),
                "trainUnigram",
                fmt::format("Use at least {}: three control pieces and the characters of the text",
                            m_characters + kControls));
        std::vector<Candidate> seeds;
        for (const auto& [text, count] : longer) {
            if (count > 1.0)
                seeds.push_back(
                    {text, count * static_cast<double>(bordersOf(text).size() - 1), false});
        }
        std::ranges::sort(seeds, comesFirst);
        seeds.resize(std::min(seeds.size(), m_settings.seedPieces));
        m_pieces.insert(m_pieces.end(), seeds.begin(), seeds.end());
        double sum = 0.0;
        for (const Candidate& piece : m_pieces)
            sum += piece.score;
        for (Candidate& piece : m_pieces)
            piece.score = std::log(piece.score / sum);
        index();
    }

    void index()
    {
        m_trie = PieceTrie();
        m_scores.clear();
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            m_trie.insert(m_pieces[i].text, static_cast<TokenId>(i));
            m_scores.push_back(m_pieces[i].score);
        }
    }

    /// One round of expectation maximisation; drops rarely used pieces.
    void maximise()
    {
        std::vector<double> expected(m_pieces.size(), 0.0);
        for (const Part& part : m_parts) {
            leaveIfStopped();
            addExpectedCounts(part.text, {m_trie, m_scores, kUnknown}, part.count, expected);
        }
        std::vector<Candidate> kept;
        std::vector<double> counts;
        double sum = 0.0;
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            if (expected[i] < kRareCount && !m_pieces[i].isCharacter)
                continue;
            counts.push_back(std::max(expected[i], kRareCount));
            sum += counts.back();
            kept.push_back(std::move(m_pieces[i]));
        }
        for (std::size_t i = 0; i < kept.size(); ++i)
            kept[i].score = digamma(counts[i]) - digamma(sum);
        m_pieces = std::move(kept);
        index();
    }

    /// Occurrences of each piece in the most probable segmentations.
    std::vector<double> usedCounts() const
    {
        std::vector<double> used(m_pieces.size(), 0.0);
        for (const Part& part : m_parts) {
            leaveIfStopped();
            for (const PieceCut& cut : mostProbableCut(part.text, {m_trie, m_scores, kUnknown}))
                used[static_cast<std::size_t>(cut.id)] += part.count;
        }
        return used;
    }

    /// Loss of likelihood of the text without piece `i`, to a first approximation: its occurrences
    /// become those of the pieces that replace it.
    double lossWithout(std::size_t i, const std::vector<double>& used, double sum) const
    {
        const std::vector<PieceCut> instead = mostProbableCut(
            m_pieces[i].text, {m_trie, m_scores, kUnknown, static_cast<TokenId>(i)});
        double score = 0.0;
        for (const PieceCut& cut : instead)
            score += m_scores[static_cast<std::size_t>(cut.id)];
        if (used[i] == 0.0 || score >= m_scores[i])
            return 0.0;
        const double newSum = sum + used[i] * static_cast<double>(instead.size() - 1);
        double alternative = 0.0;
        for (const PieceCut& cut : instead)
            alternative += std::log((used[static_cast<std::size_t>(cut.id)] + used[i]) / newSum);
        return used[i] * (std::log(used[i] / sum) - alternative);
    }

    /// Drops the least important pieces; false when there are none to drop.
    bool prune(std::size_t border)
    {
        const std::vector<double> used = usedCounts();
        double sum = 0.0;
        for (const double count : used)
            sum += count;
        std::vector<std::pair<double, std::size_t>> losses;
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            leaveIfStopped();
            if (!m_pieces[i].isCharacter)
                losses.emplace_back(-lossWithout(i, used, sum), i);
        }
        std::ranges::sort(losses);
        const auto kept = static_cast<std::size_t>(kKept * static_cast<double>(m_pieces.size()));
        const std::size_t room = std::max(border, kept) - m_characters;
        if (losses.size() <= room)
            return false;
        std::set<std::size_t> leaving;
        for (std::size_t i = room; i < losses.size(); ++i)
            leaving.insert(losses[i].second);
        std::vector<Candidate> remaining;
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            if (!leaving.contains(i))
                remaining.push_back(std::move(m_pieces[i]));
        }
        m_pieces = std::move(remaining);
        index();
        return true;
    }

    void finish(std::size_t wanted)
    {
        std::ranges::sort(m_pieces, comesFirst);
        std::size_t room = wanted - m_characters;
        std::erase_if(m_pieces, [&](const Candidate& piece) {
            if (piece.isCharacter)
                return false;
            if (room == 0)
                return true;
            --room;
            return false;
        });
    }

    const std::vector<Part>& m_parts;
    const UnigramTrainerSettings& m_settings;
    const std::stop_token& m_stop;
    std::vector<Candidate> m_pieces;
    std::size_t m_characters = 0;
    PieceTrie m_trie;
    std::vector<double> m_scores;
};

} // namespace

std::shared_ptr<const UnigramTokenizer>
trainUnigramOnLines(std::string_view text, const UnigramTrainerSettings& settings,
                    const std::function<void(double)>& progress, const std::stop_token& stop)
{
    if (settings.vocabularySize > kLargestVocabulary || settings.vocabularySize <= kControls)
        throw Error(
            fmt::format("a vocabulary of {} entries is not possible", settings.vocabularySize),
            "trainUnigram", fmt::format("Use 4 to {}", kLargestVocabulary));
    if (settings.longestPiece < 1)
        throw Error("pieces without any character", "trainUnigram", "Choose a longest piece of 16");
    const std::vector<Part> parts = partsOf(text, settings, stop);
    UnigramVocabulary vocabulary;
    vocabulary.normalization = settings.normalization;
    vocabulary.pieces = {{"<pad>", 0.0, UnigramPiece::Kind::Control},
                         {"</s>", 0.0, UnigramPiece::Kind::Control},
                         {"<unk>", 0.0, UnigramPiece::Kind::Unknown}};
    for (std::size_t id = 0; id < kControls; ++id)
        vocabulary.addedTokens.push_back(
            {static_cast<TokenId>(id), vocabulary.pieces[id].text, true, false});
    for (Candidate& piece : Learner(parts, settings, stop).learn(progress))
        vocabulary.pieces.push_back({std::move(piece.text), piece.score});
    return std::make_shared<const UnigramTokenizer>(std::move(vocabulary));
}

} // namespace headscope
