#include "core/analysis/heads/head_distances.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

double entropyTerm(double probability)
{
    return probability > 0.0 ? -probability * std::log(probability) : 0.0;
}

double entropy(const float* row, std::int64_t keys)
{
    double sum = 0.0;
    for (std::int64_t key = 0; key < keys; ++key)
        sum += entropyTerm(double{row[key]});
    return sum;
}

/// Entropy of the mean of two rows.
double mixedEntropy(const float* a, const float* b, std::int64_t keys)
{
    double sum = 0.0;
    for (std::int64_t key = 0; key < keys; ++key)
        sum += entropyTerm(0.5 * (double{a[key]} + double{b[key]}));
    return sum;
}

/// Divergence as H(mean) - mean of H: one logarithm per cell for each pair.
double divergence(const float* a, double entropyA, const float* b, double entropyB,
                  std::int64_t keys)
{
    return std::max(mixedEntropy(a, b, keys) - 0.5 * (entropyA + entropyB), 0.0);
}

/// `count` of `tokens` rows, evenly spaced, including the last.
std::vector<std::int64_t> chosenRows(std::int64_t tokens, std::int64_t limit)
{
    const std::int64_t count =
        std::clamp<std::int64_t>(limit, 1, std::max<std::int64_t>(tokens, 1));
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 1; i <= count && tokens > 0; ++i)
        rows.push_back(i * tokens / count - 1);
    return rows;
}

/// The rows of one head that are compared, and their entropies.
struct ComparedHead
{
    Tensor rows; ///< Rows [queries, n].
    std::vector<double> entropies;
};

ComparedHead comparedHead(TensorView pattern, const std::vector<std::int64_t>& queries)
{
    ComparedHead head;
    head.rows = Tensor({static_cast<std::int64_t>(queries.size()), pattern.shape[1]});
    for (std::size_t i = 0; i < queries.size(); ++i) {
        float* const row = &head.rows.view()(i, 0);
        std::copy_n(&pattern(queries[i], 0), pattern.shape[1], row);
        head.entropies.push_back(entropy(row, pattern.shape[1]));
    }
    return head;
}

double distanceOf(const ComparedHead& a, const ComparedHead& b)
{
    double sum = 0.0;
    for (std::size_t row = 0; row < a.entropies.size(); ++row)
        sum += divergence(&a.rows.view()(row, 0), a.entropies[row], &b.rows.view()(row, 0),
                          b.entropies[row], a.rows.shape()[1]);
    return sum;
}

/// Pairs (a, b), b < a, numbered row by row: the a of a pair.
std::size_t laterOf(std::size_t pair)
{
    auto later =
        static_cast<std::size_t>((1.0 + std::sqrt(1.0 + 8.0 * static_cast<double>(pair))) / 2.0);
    while (later * (later - 1) / 2 > pair)
        --later;
    while (later * (later + 1) / 2 <= pair)
        ++later;
    return later;
}

void compareAll(const std::vector<ComparedHead>& heads, Tensor& sums, const std::stop_token& stop)
{
    const std::size_t pairs = heads.size() * (std::max<std::size_t>(heads.size(), 1) - 1) / 2;
    parallelForEach(pairs, workerCount(), stop, [&](std::size_t pair) {
        const std::size_t a = laterOf(pair);
        const std::size_t b = pair - a * (a - 1) / 2;
        const auto sum = static_cast<float>(distanceOf(heads[a], heads[b]));
        sums.view()(a, b) = sum;
        sums.view()(b, a) = sum;
    });
}

} // namespace

double headDistance(TensorView a, TensorView b)
{
    if (a.shape != b.shape || a.shape.rank() != 2)
        throw ShapeError(a.shape.toString() + " and " + b.shape.toString(), "headDistance",
                         "Give two patterns [n, m]");
    const std::vector<std::int64_t> all = chosenRows(a.shape[0], a.shape[0]);
    return distanceOf(comparedHead(a, all), comparedHead(b, all));
}

double HeadDistances::mean(std::size_t a, std::size_t b) const
{
    return double{sums.view()(a, b)} / static_cast<double>(queries);
}

std::optional<std::size_t> HeadDistances::indexOf(const HeadId& head) const
{
    const auto found = std::find(heads.begin(), heads.end(), head);
    return found == heads.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - heads.begin()));
}

HeadDistances headDistances(const Trace& trace, Stack stack, const std::stop_token& stop,
                            std::int64_t queryLimit)
{
    HeadDistances distances;
    std::vector<ComparedHead> compared;
    std::vector<std::int64_t> rows;
    for (int layer = 0; layer < trace.layerCount(selfAttentionOf(stack)); ++layer) {
        throwIfStopped(stop);
        const auto pattern = trace.find({Site::Pattern, layer, stack});
        for (std::int64_t head = 0; pattern && head < pattern->shape()[0]; ++head) {
            distances.tokens = pattern->shape()[1];
            rows = chosenRows(distances.tokens, queryLimit);
            distances.heads.push_back({selfAttentionOf(stack), layer, static_cast<int>(head)});
            compared.push_back(comparedHead(pattern->view()[head], rows));
        }
    }
    distances.queries = static_cast<std::int64_t>(rows.size());
    const auto count = static_cast<std::int64_t>(compared.size());
    distances.sums = Tensor({count, count});
    compareAll(compared, distances.sums, stop);
    return distances;
}

std::vector<std::size_t> nearestHeads(const HeadDistances& distances, std::size_t head,
                                      std::size_t count)
{
    std::vector<std::size_t> others(distances.heads.size());
    std::iota(others.begin(), others.end(), std::size_t{0});
    std::erase(others, head);
    std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
        return distances.sums.view()(head, a) < distances.sums.view()(head, b);
    });
    others.resize(std::min(count, others.size()));
    return others;
}

} // namespace headscope
