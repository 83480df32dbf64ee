#include "core/analysis/scores/head_pass.h"

#include "core/analysis/scores/pattern_scores.h"

#include <cmath>
#include <limits>
#include <unordered_map>

namespace headscope {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

HeadScoreTable::Row undefinedRow()
{
    HeadScoreTable::Row row;
    row.fill(kUndefined);
    return row;
}

double share(double sum, double of)
{
    return of > 0.0 ? sum / of : kUndefined;
}

double& in(HeadScoreTable::Row& row, HeadScore score)
{
    return row[static_cast<std::size_t>(score)];
}

void putEntropy(HeadScoreTable::Row& row, TensorView pattern, bool looksAhead)
{
    const PatternEntropy entropy = entropyOf(pattern, looksAhead);
    in(row, HeadScore::Entropy) = entropy.mean;
    in(row, HeadScore::NormalisedEntropy) = entropy.normalised;
}

void putPlaces(HeadScoreTable::Row& row, TensorView pattern, const Distance& distance)
{
    in(row, HeadScore::Distance) = distance.mean;
    in(row, HeadScore::DistanceVariance) = distance.variance;
    in(row, HeadScore::Self) = selfScore(pattern);
    if (pattern.shape[0] < 2)
        return;
    const auto later = static_cast<double>(pattern.shape[0] - 1);
    const double previous = previousTokenScore(pattern);
    in(row, HeadScore::PreviousToken) = previous;
    in(row, HeadScore::PreviousTokenFraction) = share(previous * later, distance.mass);
    in(row, HeadScore::FirstToken) = firstTokenMass(pattern);
    in(row, HeadScore::Sink) = sinkMass(pattern);
}

/// Without any repeat there is nothing to copy: not defined rather than 0.
void putRepeats(HeadScoreTable::Row& row, TensorView pattern, const TextRepeats& repeats,
                double threshold, double mass)
{
    if (repeats.repeated == 0)
        return;
    double onCopies = 0.0;
    double after = 0.0;
    double afterAbove = 0.0; // weights from the threshold on
    double apart = mass;     // sum|A - P|
    for (std::size_t query = 0; query < repeats.copies.size(); ++query) {
        for (const int copy : repeats.copies[query]) {
            const double weight = pattern(query, copy + 1);
            onCopies += static_cast<double>(pattern(query, copy));
            after += weight;
            afterAbove += weight < threshold ? 0.0 : weight;
            apart += std::abs(weight - 1.0) - weight;
        }
    }
    in(row, HeadScore::DuplicateFraction) = share(onCopies, mass);
    in(row, HeadScore::InductionFraction) = share(after, mass);
    in(row, HeadScore::InductionMatch) = 1.0 - apart / static_cast<double>(pattern.shape[0]);
    in(row, HeadScore::InductionOnText) = afterAbove / static_cast<double>(repeats.repeated);
}

/// Mean over the tokens from the second round on of the weight of all that followed their copies.
double prefixMatching(TensorView pattern, const HeadScoreOptions& options)
{
    const std::int64_t first = options.prefix + options.period;
    double sum = 0.0;
    for (std::int64_t query = first; query < pattern.shape[0]; ++query)
        for (std::int64_t copy = query - options.period; copy >= options.prefix;
             copy -= options.period)
            sum += static_cast<double>(pattern(query, copy + 1));
    return share(sum, static_cast<double>(pattern.shape[0] - first));
}

void putStripes(HeadScoreTable::Row& row, TensorView pattern, const HeadScoreOptions& options)
{
    const std::int64_t rounds =
        options.period > 0 ? (pattern.shape[0] - options.prefix) / options.period : 0;
    if (rounds < 2)
        return;
    in(row, HeadScore::DuplicateStripe) = duplicateStripe(pattern, options.period, options.prefix);
    in(row, HeadScore::InductionStripe) = inductionStripe(pattern, options.period, options.prefix);
    if (rounds >= 4)
        in(row, HeadScore::PrefixMatching) = prefixMatching(pattern, options);
}

} // namespace

TextRepeats::TextRepeats(std::span<const TokenId> ids)
{
    std::unordered_map<TokenId, std::vector<int>> places;
    for (std::size_t position = 0; position < ids.size(); ++position) {
        std::vector<int>& earlier = places[ids[position]];
        copies.push_back(earlier);
        repeated += earlier.empty() ? 0 : 1;
        earlier.push_back(static_cast<int>(position));
    }
}

HeadScoreTable::Row scoreSquare(TensorView pattern, const TextRepeats& repeats,
                                const HeadScoreOptions& options, bool looksAhead)
{
    HeadScoreTable::Row row = undefinedRow();
    const Distance distance = meanDistance(pattern);
    putEntropy(row, pattern, looksAhead);
    putPlaces(row, pattern, distance);
    putRepeats(row, pattern, repeats, options.inductionThreshold, distance.mass);
    putStripes(row, pattern, options);
    return row;
}

HeadScoreTable::Row scoreCross(TensorView pattern)
{
    HeadScoreTable::Row row = undefinedRow();
    putEntropy(row, pattern, true);
    if (pattern.shape[1] < 2)
        return row;
    in(row, HeadScore::FirstToken) = sinkMass(pattern);
    in(row, HeadScore::Sink) = sinkMass(pattern);
    return row;
}

HeadScoreTable::Row scoreEvenHead(std::span<const TokenId> ids, std::int64_t keys,
                                  const HeadScoreOptions& options, bool looksAhead, bool isCross)
{
    const auto queries = static_cast<std::int64_t>(ids.size());
    Tensor pattern({queries, keys});
    for (std::int64_t query = 0; query < queries; ++query) {
        const std::int64_t seen = looksAhead || isCross ? keys : query + 1;
        for (std::int64_t key = 0; key < seen; ++key)
            pattern.view()(query, key) = 1.0F / static_cast<float>(seen);
    }
    return isCross ? scoreCross(pattern.view())
                   : scoreSquare(pattern.view(), TextRepeats(ids), options, looksAhead);
}

bool looksAhead(const Trace& trace, AttentionKind attention)
{
    const int heads = trace.headsOf(patternKey(attention, 0));
    for (int head = 0; head < heads; ++head) {
        const auto pattern = trace.findHead(patternKey(attention, 0), head);
        bool ahead = false;
        for (std::int64_t query = 0; pattern && query < pattern->shape()[0] && !ahead; ++query)
            for (std::int64_t key = query + 1; key < pattern->shape()[1] && !ahead; ++key)
                ahead = pattern->view()(query, key) > 0.0F;
        if (!ahead)
            return false;
    }
    return heads > 0;
}

} // namespace headscope
