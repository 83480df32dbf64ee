#include "core/analysis/scores/head_pass.h"

#include "core/analysis/scores/undefined.h"

#include <cmath>
#include <unordered_map>

namespace headscope {

namespace {

CopyWeights copyWeights(TensorView pattern, const TextRepeats& repeats, double threshold,
                        double mass)
{
    if (repeats.repeated == 0)
        return {kUndefined, kUndefined, kUndefined, kUndefined};
    CopyWeights sums{0.0, 0.0, 0.0, mass};
    for (std::size_t query = 0; query < repeats.copies.size(); ++query) {
        for (const int copy : repeats.copies[query]) {
            const double weight = pattern(query, copy + 1);
            sums.onCopies += static_cast<double>(pattern(query, copy));
            sums.after += weight;
            sums.afterAbove += weight < threshold ? 0.0 : weight;
            sums.apart += std::abs(weight - 1.0) - weight;
        }
    }
    return sums;
}

bool hasWeightAhead(TensorView pattern)
{
    for (std::int64_t query = 0; query < pattern.shape[0]; ++query)
        for (std::int64_t key = query + 1; key < pattern.shape[1]; ++key)
            if (pattern(query, key) > 0.0F)
                return true;
    return false;
}

HeadScoreTable::Row scored(const ScoredPattern& pattern, HeadMeasure HeadScoreInfo::*measure)
{
    HeadScoreTable::Row row;
    for (const HeadScoreInfo& info : headScoreInfos())
        row.push_back(info.*measure != nullptr ? (info.*measure)(pattern) : kUndefined);
    return row;
}

} // namespace

TextRepeats::TextRepeats(std::span<const TokenId> ids) : needle(findNeedle(ids))
{
    std::unordered_map<TokenId, std::vector<int>> places;
    for (std::size_t position = 0; position < ids.size(); ++position) {
        std::vector<int>& earlier = places[ids[position]];
        copies.push_back(earlier);
        repeated += earlier.empty() ? 0 : 1;
        earlier.push_back(static_cast<int>(position));
    }
}

TextRepeats::TextRepeats(const TokenSequence& tokens) : TextRepeats(tokens.ids())
{
    needle = findNeedle(tokens);
}

ScoredPattern::ScoredPattern(TensorView pattern, const TextRepeats& textRepeats,
                             const HeadScoreOptions& scoreOptions, bool seesAhead)
    : view(pattern)
    , options(scoreOptions)
    , entropy(entropyOf(pattern, seesAhead))
    , repeats(&textRepeats)
    , distance(meanDistance(pattern))
    , copies(copyWeights(pattern, textRepeats, options.inductionThreshold, distance.mass))
    , rounds(options.period > 0 ? (pattern.shape[0] - options.prefix) / options.period : 0)
{
}

ScoredPattern::ScoredPattern(TensorView pattern) : view(pattern), entropy(entropyOf(pattern, true))
{
}

double ScoredPattern::ofAll(double weight) const
{
    return distance.mass > 0.0 ? weight / distance.mass : kUndefined;
}

HeadScoreTable::Row scoreSquare(TensorView pattern, const TextRepeats& repeats,
                                const HeadScoreOptions& options, bool seesAhead)
{
    return scored({pattern, repeats, options, seesAhead}, &HeadScoreInfo::measure);
}

HeadScoreTable::Row scoreCross(TensorView pattern)
{
    return scored(ScoredPattern(pattern), &HeadScoreInfo::measureCross);
}

HeadScoreTable::Row scoreEvenHead(std::span<const TokenId> ids, std::int64_t keys,
                                  const HeadScoreOptions& options, bool seesAhead, bool isCross)
{
    const auto queries = static_cast<std::int64_t>(ids.size());
    Tensor pattern({queries, keys});
    for (std::int64_t query = 0; query < queries; ++query) {
        const std::int64_t seen = seesAhead || isCross ? keys : query + 1;
        for (std::int64_t key = 0; key < seen; ++key)
            pattern.view()(query, key) = 1.0F / static_cast<float>(seen);
    }
    return isCross ? scoreCross(pattern.view())
                   : scoreSquare(pattern.view(), TextRepeats(ids), options, seesAhead);
}

bool seesAhead(const Trace& trace, AttentionKind attention)
{
    if (attention == AttentionKind::EncoderSelf)
        return true;
    int layer = 0;
    while (layer < trace.layerCount(attention) && trace.headsOf(patternKey(attention, layer)) == 0)
        ++layer; // a trace may contain some layers only
    const TraceKey key = patternKey(attention, layer);
    const int heads = trace.headsOf(key);
    int ahead = 0;
    for (int head = 0; head < heads; ++head) {
        const auto pattern = trace.findHead(key, head);
        ahead += pattern && hasWeightAhead(pattern->view()) ? 1 : 0;
    }
    return 2 * ahead > heads;
}

} // namespace headscope
