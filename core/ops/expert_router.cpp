#include "core/ops/expert_router.h"

#include "core/base/error.h"
#include "core/ops/rows.h"
#include "core/ops/softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace headscope {

namespace {

std::span<const float> rowOf(TensorView view, std::int64_t row, std::int64_t columns)
{
    return {view.data + row * columns, static_cast<std::size_t>(columns)};
}

/// The most probable expert without a weight yet; of equal ones the first.
std::size_t nextChoice(std::span<const float> probabilities, std::span<const float> weights)
{
    std::size_t best = probabilities.size();
    for (std::size_t e = 0; e < probabilities.size(); ++e) {
        const bool free = weights[e] == 0.0F;
        if (free && (best == probabilities.size() || probabilities[e] > probabilities[best]))
            best = e;
    }
    return best;
}

/// A chosen expert keeps a weight above 0 even where its probability has underflowed, so that
/// "weight 0" always means "not chosen".
void chooseExperts(std::span<const float> probabilities, std::int64_t topK,
                   std::span<float> weights)
{
    std::ranges::fill(weights, 0.0F);
    float total = 0.0F;
    for (std::int64_t i = 0; i < topK; ++i) {
        const std::size_t e = nextChoice(probabilities, weights);
        weights[e] = std::max(probabilities[e], std::numeric_limits<float>::min());
        total += weights[e];
    }
    for (float& weight : weights) {
        if (weight != 0.0F)
            weight = std::max(weight / total, std::numeric_limits<float>::min());
    }
}

RowCount checkRouted(const RouterOutputs& routed, std::int64_t length, const char* name)
{
    const RowCount size = rowsOf(routed.probabilities, name, "probabilities");
    requireRows(routed.weights, size, name, "weights");
    if (length < 1 || size.rows % length != 0)
        throw ShapeError(
            fmt::format("{}: {} rows are not whole sequences of {}", name, size.rows, length), {},
            "Use a length that divides the rows");
    return size;
}

/// f_e of one sequence: the share of its assignments that went to each expert.
std::vector<double> assignedShares(TensorView weights, std::int64_t firstRow, std::int64_t length,
                                   std::int64_t experts)
{
    std::vector<double> shares(static_cast<std::size_t>(experts));
    double assignments = 0.0;
    for (std::int64_t row = firstRow; row < firstRow + length; ++row) {
        const std::span<const float> chosen = rowOf(weights, row, experts);
        for (std::size_t e = 0; e < chosen.size(); ++e) {
            shares[e] += chosen[e] != 0.0F;
            assignments += chosen[e] != 0.0F;
        }
    }
    for (double& share : shares)
        share /= assignments;
    return shares;
}

/// sum(values * gradients) over the experts with a value above 0.
double weightedSum(std::span<const float> values, std::span<const double> gradients)
{
    double sum = 0.0;
    for (std::size_t e = 0; e < values.size(); ++e) {
        if (values[e] != 0.0F)
            sum += static_cast<double>(values[e]) * gradients[e];
    }
    return sum;
}

/// d loss / d probabilities of one sequence through the balancing loss.
std::vector<double> balanceGradient(const RouterOutputs& routed, const RouterUpstream& upstream,
                                    std::int64_t firstRow, std::int64_t experts)
{
    std::vector<double> gradient =
        assignedShares(routed.weights, firstRow, upstream.length, experts);
    for (double& value : gradient)
        value *= upstream.balanceScale * static_cast<double>(experts) /
                 static_cast<double>(upstream.length);
    return gradient;
}

} // namespace

void routeTopK(TensorView logits, std::int64_t topK, const RouterOutputs& outputs)
{
    // logits, probabilities, weights: [rows, experts]
    const RowCount size = rowsOf(logits, "routeTopK", "logits");
    requireRows(outputs.probabilities, size, "routeTopK", "probabilities");
    requireRows(outputs.weights, size, "routeTopK", "weights");
    if (topK < 1 || topK > size.columns)
        throw ShapeError(fmt::format("routeTopK: top {} of {} experts", topK, size.columns), {},
                         fmt::format("Choose 1 to {}", size.columns));
    softmax(logits, outputs.probabilities);
    for (std::int64_t row = 0; row < size.rows; ++row)
        chooseExperts(
            rowOf(outputs.probabilities, row, size.columns), topK,
            {outputs.weights.data + row * size.columns, static_cast<std::size_t>(size.columns)});
}

double balancingLoss(const RouterOutputs& routed, std::int64_t length)
{
    const RowCount size = checkRouted(routed, length, "balancingLoss");
    double loss = 0.0;
    for (std::int64_t first = 0; first < size.rows; first += length) {
        const std::vector<double> shares =
            assignedShares(routed.weights, first, length, size.columns);
        for (std::int64_t row = first; row < first + length; ++row) {
            const std::span<const float> p = rowOf(routed.probabilities, row, size.columns);
            for (std::size_t e = 0; e < p.size(); ++e)
                loss += shares[e] * static_cast<double>(p[e]);
        }
    }
    return loss * static_cast<double>(size.columns) / static_cast<double>(length);
}

void routeTopKBackward(const RouterOutputs& routed, const RouterUpstream& upstream,
                       MutableTensorView logits)
{
    // forward: p = softmax(logits); w_e = p_e / (sum of the chosen p), which is a softmax over the
    // chosen logits; balance = E sum_e f_e mean_rows(p_e)
    const char* const name = "routeTopKBackward";
    const RowCount size = checkRouted(routed, upstream.length, name);
    requireRows(upstream.weights, size, name, "upstream weights");
    requireRows(logits, size, name, "logits");
    std::vector<double> balance;
    for (std::int64_t row = 0; row < size.rows; ++row) {
        if (row % upstream.length == 0)
            balance = balanceGradient(routed, upstream, row, size.columns);
        const std::span<const float> probabilities = rowOf(routed.probabilities, row, size.columns);
        const std::span<const float> weights = rowOf(routed.weights, row, size.columns);
        const std::span<const float> dWeights = rowOf(upstream.weights, row, size.columns);
        const std::vector<double> choice(dWeights.begin(), dWeights.end());
        const double choiceMean = weightedSum(weights, choice);
        const double balanceMean = weightedSum(probabilities, balance);
        for (std::size_t e = 0; e < weights.size(); ++e) {
            const double p = static_cast<double>(probabilities[e]);
            const double w = static_cast<double>(weights[e]);
            const double chosen = w != 0.0 ? w * (choice[e] - choiceMean) : 0.0;
            logits.data[row * size.columns + static_cast<std::int64_t>(e)] =
                static_cast<float>(chosen + p * (balance[e] - balanceMean));
        }
    }
}

} // namespace headscope
