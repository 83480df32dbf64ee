#include "core/analysis/difference/model_difference.h"

#include "core/analysis/difference/pattern_divergence.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::int64_t kRowsAtATime = 32; ///< Logits of a long text exist in part only.

/// One head of both traces: the same layer and number.
std::vector<HeadDifference> alignedHeads(const Trace& a, const Trace& b, int& unmatched)
{
    std::vector<HeadDifference> heads;
    unmatched = 0;
    for (const AttentionKind kind : kAttentionKinds) {
        const int layers = std::max(a.layerCount(kind), b.layerCount(kind));
        for (int layer = 0; layer < layers; ++layer) {
            const int ofA = a.headsOf(patternKey(kind, layer));
            const int ofB = b.headsOf(patternKey(kind, layer));
            unmatched += std::abs(ofA - ofB);
            for (int head = 0; head < std::min(ofA, ofB); ++head)
                heads.push_back({{kind, layer, head}});
        }
    }
    return heads;
}

/// Head by head: a long text holds the patterns of few heads at a time.
void measure(HeadDifference& result, const Trace& a, const Trace& b)
{
    const HeadId head = result.head;
    const TraceKey key = patternKey(head.attention, head.layer);
    const auto ofA = a.findHead(key, head.head);
    const auto ofB = b.findHead(key, head.head);
    if (!ofA || !ofB)
        throw ShapeError("the pattern of " + toString(head) + " is missing", "trace difference");
    const PatternDivergence divergence = patternDivergence(ofA->view(), ofB->view());
    result.divergence = divergence.mean;
    result.largest = divergence.largest;
    result.query = divergence.query;
}

void measureHeads(TraceDifference& difference, const Trace& a, const Trace& b,
                  const std::stop_token& stop)
{
    difference.heads = alignedHeads(a, b, difference.unmatchedHeads);
    if (difference.heads.empty()) {
        difference.headsMissing = "the models have no heads of the same layer and number";
        return;
    }
    const std::size_t count = difference.heads.size();
    parallelForEach(count, workerCount(), stop,
                    [&](std::size_t i) { measure(difference.heads[i], a, b); });
}

void measureTokens(TraceDifference& difference, const Trace& a, const Trace& b,
                   const std::stop_token& stop)
{
    const TraceKey logits{Site::Logits, 0};
    const auto shapeA = a.shapeOf(logits);
    const auto shapeB = b.shapeOf(logits);
    if (!shapeA || !shapeB || shapeA->elementCount() == 0 || shapeB->elementCount() == 0) {
        difference.tokensMissing = "a model predicts no tokens";
        return;
    }
    if (*shapeA != *shapeB) {
        difference.tokensMissing = "the models have different numbers of tokens in the vocabulary";
        return;
    }
    const std::vector<TokenId> ids = a.tokens().ids();
    const std::int64_t rows = std::min((*shapeA)[0], std::ssize(ids));
    for (std::int64_t first = 0; first < rows; first += kRowsAtATime) {
        const std::int64_t count = std::min(kRowsAtATime, rows - first);
        const ActivationRows ofA = a.findRows(logits, first, count);
        const ActivationRows ofB = b.findRows(logits, first, count);
        for (std::int64_t row = 0; row < count; ++row) {
            throwIfStopped(stop);
            difference.tokens.push_back({static_cast<int>(first + row),
                                         ids[static_cast<std::size_t>(first + row)],
                                         predictionDivergence(ofA[row], ofB[row])});
        }
    }
}

template<class Row, class Value>
std::vector<Row> largestFirst(std::vector<Row> rows, Value value)
{
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& one, const Row& other) {
        const double first = value(one);
        const double second = value(other);
        return std::isnan(second) ? !std::isnan(first) : first > second;
    });
    return rows;
}

} // namespace

double TraceDifference::meanBits() const
{
    double sum = 0.0;
    for (const TokenDifference& token : tokens)
        sum += token.prediction.bits;
    return tokens.empty() ? NAN : sum / static_cast<double>(tokens.size());
}

std::string whyNotComparable(const Trace& a, const Trace& b)
{
    if (a.tokens().ids() != b.tokens().ids() || a.sourceTokens().ids() != b.sourceTokens().ids())
        return "A and B read different tokens";
    return {};
}

TraceDifference traceDifference(const Trace& a, const Trace& b, const std::stop_token& stop)
{
    TraceDifference difference;
    difference.headsMissing = difference.tokensMissing = whyNotComparable(a, b);
    if (!difference.headsMissing.empty())
        return difference;
    measureHeads(difference, a, b, stop);
    measureTokens(difference, a, b, stop);
    return difference;
}

std::vector<HeadDifference> ranked(std::vector<HeadDifference> heads)
{
    return largestFirst(std::move(heads),
                        [](const HeadDifference& head) { return head.divergence; });
}

std::vector<TokenDifference> ranked(std::vector<TokenDifference> tokens)
{
    return largestFirst(std::move(tokens),
                        [](const TokenDifference& token) { return token.prediction.bits; });
}

std::vector<MatrixDifference> ranked(std::vector<MatrixDifference> matrices)
{
    return largestFirst(std::move(matrices),
                        [](const MatrixDifference& matrix) { return matrix.relative; });
}

} // namespace headscope
