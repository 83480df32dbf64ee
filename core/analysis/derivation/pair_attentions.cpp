#include "core/analysis/derivation/pair_attentions.h"

#include "core/analysis/scores/undefined.h"
#include "core/base/error.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headscope {

namespace {

PairPosition::Pieces piecesOf(ByteRange word, const TokenSequence& tokens)
{
    PairPosition::Pieces pieces;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
        const ByteRange bytes = tokens.tokens[index].bytes;
        if (bytes.begin == bytes.end || bytes.end <= word.begin || bytes.begin >= word.end)
            continue;
        if (pieces.size() == 0)
            pieces.begin = static_cast<int>(index);
        pieces.end = static_cast<int>(index) + 1;
    }
    return pieces;
}

double weightOn(TensorView pattern, int query, PairPosition::Pieces word)
{
    double sum = 0.0;
    for (int key = word.begin; key < word.end; ++key)
        sum += double{pattern(query, key)};
    return sum;
}

/// One head's mean attention weight by distance, from unmarked words to all but the first.
class ByDistance
{
public:
    void add(TensorView pattern, const std::set<int>& marked)
    {
        for (int query = 1; query < static_cast<int>(pattern.shape[0]); ++query) {
            if (marked.contains(query))
                continue;
            for (int key = 1; key <= query; ++key) {
                const auto back = static_cast<std::size_t>(query - key);
                m_sums.resize(std::max(m_sums.size(), back + 1), 0.0);
                m_counts.resize(m_sums.size(), 0);
                m_sums[back] += double{pattern(query, key)};
                ++m_counts[back];
            }
        }
    }

    /// NaN if no key is that far back.
    double at(int back) const
    {
        const auto index = static_cast<std::size_t>(back);
        if (index >= m_sums.size() || m_counts[index] == 0)
            return kUndefined;
        return m_sums[index] / m_counts[index];
    }

private:
    std::vector<double> m_sums;
    std::vector<int> m_counts;
};

struct PairAttentionSums
{
    double weight = 0.0;
    double sameDistance = 0.0;
    int compared = 0;
    double contrast = 0.0;
    int contrasted = 0;
    int pairs = 0;

    void add(TensorView pattern, const PairPosition& pair, const ByDistance& usual)
    {
        const int query = pair.query.end - 1;
        weight += weightOn(pattern, query, pair.key);
        ++pairs;
        double expected = 0.0;
        for (int key = pair.key.begin; key < pair.key.end; ++key)
            expected += usual.at(query - key);
        if (!std::isnan(expected)) {
            sameDistance += expected;
            ++compared;
        }
        if (pair.contrast.size() > 0) {
            contrast += weightOn(pattern, query, pair.contrast);
            ++contrasted;
        }
    }

    PairAttention mean() const
    {
        return {pairs > 0 ? weight / pairs : kUndefined,
                compared > 0 ? sameDistance / compared : kUndefined,
                contrasted > 0 ? contrast / contrasted : kUndefined, pairs};
    }
};

std::vector<std::set<int>> markedQueries(std::size_t samples,
                                         const std::vector<PairPosition>& pairs)
{
    std::vector<std::set<int>> marked(samples);
    for (const PairPosition& pair : pairs)
        marked.at(static_cast<std::size_t>(pair.sample)).insert(pair.query.end - 1);
    return marked;
}

std::array<PairAttention, kPairKinds> pairAttentionsOf(const std::vector<TracePtr>& samples,
                                                       const std::vector<PairPosition>& pairs,
                                                       const std::vector<std::set<int>>& marked,
                                                       HeadId head)
{
    std::vector<std::shared_ptr<const Tensor>> owners;
    std::vector<TensorView> patterns;
    ByDistance usual;
    for (std::size_t sample = 0; sample < samples.size(); ++sample) {
        owners.push_back(samples[sample]->find(patternKey(head.attention, head.layer)));
        patterns.push_back(owners.back()->view()[head.head]);
        usual.add(patterns.back(), marked[sample]);
    }
    std::array<PairAttentionSums, kPairKinds> sums;
    for (const PairPosition& pair : pairs)
        sums[static_cast<std::size_t>(pair.kind)].add(
            patterns[static_cast<std::size_t>(pair.sample)], pair, usual);
    std::array<PairAttention, kPairKinds> attendedPairs;
    std::transform(sums.begin(), sums.end(), attendedPairs.begin(),
                   [](const PairAttentionSums& sum) { return sum.mean(); });
    return attendedPairs;
}

} // namespace

PairPosition placeOf(const MarkedPair& pair, const TokenSequence& tokens)
{
    PairPosition place;
    place.kind = pair.kind;
    place.query = piecesOf(pair.query, tokens);
    place.key = piecesOf(pair.key, tokens);
    if (pair.contrast)
        place.contrast = piecesOf(*pair.contrast, tokens);
    if (place.query.size() == 0 || place.key.size() == 0)
        throw Error("a marked word is not covered by any token", tokens.text);
    return place;
}

std::map<AttentionKind, HeadSurvey::PairAttentions>
pairAttentions(const std::vector<TracePtr>& samples, const std::vector<PairPosition>& pairs,
               const std::stop_token& stop)
{
    std::map<AttentionKind, HeadSurvey::PairAttentions> attendedPairs;
    if (samples.empty())
        return attendedPairs;
    const std::vector<std::set<int>> marked = markedQueries(samples.size(), pairs);
    for (const AttentionKind attention : samples.front()->attentionKinds()) {
        if (attention == AttentionKind::Cross)
            continue;
        const int layers = samples.front()->layerCount(attention);
        const int heads = samples.front()->headCount(attention);
        HeadSurvey::PairAttentions& all = attendedPairs[attention];
        all.resize(static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads));
        parallelForEach(all.size(), 4 * workerCount(), stop, [&](std::size_t index) {
            all[index] = pairAttentionsOf(
                samples, pairs, marked,
                {attention, static_cast<int>(index) / heads, static_cast<int>(index) % heads});
        });
    }
    return attendedPairs;
}

} // namespace headscope
