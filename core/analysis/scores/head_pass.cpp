#include "core/analysis/scores/head_pass.h"

#include <cmath>
#include <cstdlib>
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

/// Sums over the cells of one pattern; every mean is made of these.
struct PatternSums
{
    double entropy = 0.0;           // of all rows
    double normalisedEntropy = 0.0; // of the rows that can choose
    double choosing = 0.0;          // their number
    double mass = 0.0;
    double distance = 0.0;
    double squaredDistance = 0.0;
    double previous = 0.0;
    double self = 0.0;
    double first = 0.0;
    double firstOfFirst = 0.0; // A[0, 0]
    double copies = 0.0;
    double afterCopies = 0.0;
    double afterCopiesAbove = 0.0; // weights from the threshold on
    double matchCells = 0.0;       // sum over ideal cells of |A - 1| - A
    double copyStripe = 0.0;
    double afterCopyStripe = 0.0;
    double prefixMatching = 0.0;
    double prefixQueries = 0.0;
};

class PatternWalk
{
public:
    PatternWalk(TensorView pattern, const TextRepeats& repeats, const HeadScoreOptions& options,
                bool looksAhead)
        : m_pattern(pattern)
        , m_repeats(repeats)
        , m_options(options)
        , m_looksAhead(looksAhead)
    {
    }

    PatternSums walk()
    {
        for (std::int64_t query = 0; query < m_pattern.shape[0]; ++query) {
            const float* row = &m_pattern(query, 0);
            addRow(row, query);
            addCopies(row, query);
            addStripes(row, query);
        }
        return m_sums;
    }

private:
    /// Zeros add nothing, so masked cells cost a look alone.
    void addRow(const float* row, std::int64_t query)
    {
        double entropy = 0.0;
        for (std::int64_t key = 0; key < m_pattern.shape[1]; ++key) {
            const double weight = row[key];
            if (weight <= 0.0)
                continue;
            const auto distance = static_cast<double>(std::abs(query - key));
            entropy -= weight * std::log(weight);
            m_sums.mass += weight;
            m_sums.distance += weight * distance;
            m_sums.squaredDistance += weight * distance * distance;
        }
        m_sums.entropy += entropy;
        const std::int64_t keys = m_looksAhead ? m_pattern.shape[1] : query + 1;
        if (keys > 1) {
            m_sums.normalisedEntropy += entropy / std::log(static_cast<double>(keys));
            m_sums.choosing += 1.0;
        }
        m_sums.self += double{row[query]};
        m_sums.first += query > 0 ? double{row[0]} : 0.0;
        m_sums.previous += query > 0 ? double{row[query - 1]} : 0.0;
        m_sums.firstOfFirst += query == 0 ? double{row[0]} : 0.0;
    }

    void addCopies(const float* row, std::int64_t query)
    {
        for (const int copy : m_repeats.copies[static_cast<std::size_t>(query)]) {
            const double after = row[copy + 1];
            m_sums.copies += double{row[copy]};
            m_sums.afterCopies += after;
            m_sums.afterCopiesAbove += after < m_options.inductionThreshold ? 0.0 : after;
            m_sums.matchCells += std::abs(after - 1.0) - after;
        }
    }

    void addStripes(const float* row, std::int64_t query)
    {
        const std::int64_t period = m_options.period;
        const std::int64_t round = period > 0 ? query - m_options.prefix : -1;
        if (round < period || period < 1)
            return;
        if (round < 2 * period) {
            m_sums.copyStripe += double{row[query - period]};
            m_sums.afterCopyStripe += double{row[query - (period - 1)]};
        }
        m_sums.prefixQueries += 1.0;
        for (std::int64_t back = period; back <= round; back += period)
            m_sums.prefixMatching += double{row[query - back + 1]};
    }

    TensorView m_pattern;
    const TextRepeats& m_repeats;
    const HeadScoreOptions& m_options;
    bool m_looksAhead;
    PatternSums m_sums;
};

double& in(HeadScoreTable::Row& row, HeadScore score)
{
    return row[static_cast<std::size_t>(score)];
}

void putPlaces(HeadScoreTable::Row& row, const PatternSums& sums, double tokens)
{
    in(row, HeadScore::Entropy) = share(sums.entropy, tokens);
    in(row, HeadScore::NormalisedEntropy) = share(sums.normalisedEntropy, sums.choosing);
    in(row, HeadScore::PreviousToken) = share(sums.previous, tokens - 1.0);
    in(row, HeadScore::Self) = share(sums.self, tokens);
    in(row, HeadScore::FirstToken) = share(sums.first, tokens - 1.0);
    if (tokens > 1.0)
        in(row, HeadScore::Sink) = (sums.first + sums.firstOfFirst) / tokens;
    const double mean = share(sums.distance, sums.mass);
    in(row, HeadScore::Distance) = mean;
    in(row, HeadScore::DistanceVariance) =
        std::isnan(mean) ? mean : std::max(0.0, sums.squaredDistance / sums.mass - mean * mean);
    if (tokens > 1.0)
        in(row, HeadScore::PreviousTokenFraction) = share(sums.previous, sums.mass);
}

/// Without any repeat there is nothing to copy: not defined rather than 0.
void putRepeats(HeadScoreTable::Row& row, const PatternSums& sums, const TextRepeats& repeats,
                double tokens)
{
    if (repeats.repeated == 0)
        return;
    in(row, HeadScore::DuplicateFraction) = share(sums.copies, sums.mass);
    in(row, HeadScore::InductionFraction) = share(sums.afterCopies, sums.mass);
    in(row, HeadScore::InductionMatch) = 1.0 - (sums.mass + sums.matchCells) / tokens;
    in(row, HeadScore::InductionOnText) =
        sums.afterCopiesAbove / static_cast<double>(repeats.repeated);
}

void putStripes(HeadScoreTable::Row& row, const PatternSums& sums, const HeadScoreOptions& options,
                std::int64_t tokens)
{
    const std::int64_t rounds = options.period > 0 ? (tokens - options.prefix) / options.period : 0;
    if (rounds < 2)
        return;
    const auto period = static_cast<double>(options.period);
    in(row, HeadScore::DuplicateStripe) = sums.copyStripe / period;
    in(row, HeadScore::InductionStripe) = sums.afterCopyStripe / period;
    if (rounds >= 4)
        in(row, HeadScore::PrefixMatching) = share(sums.prefixMatching, sums.prefixQueries);
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
    const std::int64_t tokens = pattern.shape[0];
    const PatternSums sums = PatternWalk(pattern, repeats, options, looksAhead).walk();
    putPlaces(row, sums, static_cast<double>(tokens));
    putRepeats(row, sums, repeats, static_cast<double>(tokens));
    putStripes(row, sums, options, tokens);
    return row;
}

HeadScoreTable::Row scoreCross(TensorView pattern)
{
    HeadScoreTable::Row row = undefinedRow();
    const auto queries = static_cast<double>(pattern.shape[0]);
    double entropy = 0.0;
    double first = 0.0;
    for (std::int64_t query = 0; query < pattern.shape[0]; ++query) {
        first += pattern.shape[1] > 0 ? double{pattern(query, 0)} : 0.0;
        for (std::int64_t key = 0; key < pattern.shape[1]; ++key) {
            const double weight = pattern(query, key);
            entropy -= weight > 0.0 ? weight * std::log(weight) : 0.0;
        }
    }
    in(row, HeadScore::Entropy) = share(entropy, queries);
    if (pattern.shape[1] < 2)
        return row;
    in(row, HeadScore::NormalisedEntropy) =
        share(entropy, queries) / std::log(static_cast<double>(pattern.shape[1]));
    in(row, HeadScore::FirstToken) = share(first, queries);
    in(row, HeadScore::Sink) = share(first, queries);
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

bool looksAhead(const Trace& trace, HeadFamily family)
{
    const int heads = trace.headsOf(patternKeyOf(family, 0));
    for (int head = 0; head < heads; ++head) {
        const auto pattern = trace.findHead(patternKeyOf(family, 0), head);
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
