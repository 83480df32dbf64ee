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

/// Most probable expert without a weight so far; the first of equal ones.
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
void chooseExperts(std::span<const float> probabilities, std::int64_t topK, bool normalised,
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
        if (weight != 0.0F && normalised)
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

/// Rows of one sequence that are not padding.
struct SequenceRows
{
    const RouterOutputs& routed;
    std::int64_t first;
    std::int64_t length;
    std::int64_t experts;
    const std::uint8_t* mask; ///< Mask of all rows, or null.

    template<class Body>
    void forEach(const Body& body) const
    {
        for (std::int64_t row = first; row < first + length; ++row)
            if (!mask || mask[row] != 0)
                body(row * experts);
    }

    std::int64_t count() const
    {
        std::int64_t rows = 0;
        forEach([&](std::int64_t) { ++rows; });
        return rows;
    }

    /// Fraction f_e times the number of rows: how often the expert was chosen, divided by the
    /// choices per row.
    double load(std::int64_t expert, std::int64_t topK) const
    {
        std::int64_t chosen = 0;
        forEach([&](std::int64_t row) { chosen += routed.weights.data[row + expert] != 0.0F; });
        return static_cast<double>(chosen) / static_cast<double>(topK);
    }

    double probability(std::int64_t expert) const
    {
        double sum = 0.0;
        forEach([&](std::int64_t row) {
            sum += static_cast<double>(routed.probabilities.data[row + expert]);
        });
        return sum;
    }
};

/// Number of experts chosen per row.
std::int64_t choicesOf(TensorView weights, const RowCount& size)
{
    const std::span<const float> first = rowOf(weights, 0, size.columns);
    return std::ranges::count_if(first, [](float weight) { return weight != 0.0F; });
}

/// Sum of values * gradients over the experts with a value above 0.
template<class Value>
double weightedSum(std::span<const float> values, const Value* gradients)
{
    double sum = 0.0;
    for (std::size_t e = 0; e < values.size(); ++e) {
        if (values[e] != 0.0F)
            sum += static_cast<double>(values[e]) * static_cast<double>(gradients[e]);
    }
    return sum;
}

/// Gradient of the balancing loss with respect to the probabilities of one sequence's rows.
void balanceGradient(const SequenceRows& rows, std::int64_t topK, double scale,
                     std::span<double> gradient)
{
    const auto count = static_cast<double>(std::max<std::int64_t>(rows.count(), 1));
    const double factor = scale * static_cast<double>(rows.experts) / (count * count);
    for (std::int64_t e = 0; e < rows.experts; ++e)
        gradient[e] = factor * rows.load(e, topK);
}

} // namespace

void routeTopK(TensorView logits, std::int64_t topK, const RouterOutputs& outputs)
{
    // logits, probabilities, weights: [rows, experts]
    const RowCount size = rowsOf(logits, "routeTopK", "logits");
    requireRows(outputs.probabilities, size, "routeTopK", "probabilities");
    requireRows(outputs.weights, size, "routeTopK", "weights");
    if (topK < 1 || topK > size.columns)
        throw ShapeError(
            fmt::format("routeTopK: top {} of {} experts is not possible", topK, size.columns), {},
            fmt::format("Choose 1 to {}", size.columns));
    softmax(logits, outputs.probabilities);
    for (std::int64_t row = 0; row < size.rows; ++row)
        chooseExperts(
            rowOf(outputs.probabilities, row, size.columns), topK, outputs.normalised,
            {outputs.weights.data + row * size.columns, static_cast<std::size_t>(size.columns)});
}

double balancingLoss(const RouterOutputs& routed, std::int64_t length, const std::uint8_t* rowMask)
{
    const RowCount size = checkRouted(routed, length, "balancingLoss");
    if (size.rows == 0)
        return 0.0;
    const std::int64_t topK = choicesOf(routed.weights, size);
    double loss = 0.0;
    for (std::int64_t first = 0; first < size.rows; first += length) {
        const SequenceRows rows{routed, first, length, size.columns, rowMask};
        const auto count = static_cast<double>(std::max<std::int64_t>(rows.count(), 1));
        for (std::int64_t e = 0; e < size.columns; ++e)
            loss += rows.load(e, topK) * rows.probability(e) / (count * count);
    }
    return loss * static_cast<double>(size.columns);
}

std::vector<double> expertLoads(TensorView weights)
{
    std::vector<double> loads(static_cast<std::size_t>(weights.shape[1]), 0.0);
    double choices = 0.0;
    for (std::int64_t row = 0; row < weights.shape[0]; ++row) {
        for (std::size_t expert = 0; expert < loads.size(); ++expert) {
            const bool isChosen = weights(row, static_cast<std::int64_t>(expert)) != 0.0F;
            loads[expert] += isChosen ? 1.0 : 0.0;
            choices += isChosen ? 1.0 : 0.0;
        }
    }
    for (double& load : loads)
        load /= std::max(choices, 1.0);
    return loads;
}

void routeTopKBackward(const RouterOutputs& routed, const RouterUpstream& upstream,
                       MutableTensorView logits)
{
    // forward: p = softmax(logits); w_e = p_e / (sum of the chosen p), which is a softmax over the
    // chosen logits, or p_e itself, of which every expert's logit has a part; balance = E sum_e f_e
    // mean_rows(p_e)
    const char* const name = "routeTopKBackward";
    const RowCount size = checkRouted(routed, upstream.length, name);
    requireRows(upstream.weights, size, name, "upstream weights");
    requireRows(logits, size, name, "logits");
    if (size.rows == 0)
        return;
    const std::size_t experts = size.columns;
    std::vector<double> own(upstream.scratch.size() < experts ? experts : 0);
    const std::span<double> balance = own.empty() ? upstream.scratch.first(experts) : own;
    const std::int64_t topK = choicesOf(routed.weights, size);
    for (std::int64_t row = 0; row < size.rows; ++row) {
        if (row % upstream.length == 0)
            balanceGradient({routed, row, upstream.length, size.columns, upstream.rowMask}, topK,
                            upstream.balanceScale, balance);
        const bool balanced = !upstream.rowMask || upstream.rowMask[row] != 0;
        const std::span<const float> probabilities = rowOf(routed.probabilities, row, size.columns);
        const std::span<const float> weights = rowOf(routed.weights, row, size.columns);
        const float* dWeights = upstream.weights.data + row * size.columns;
        const double choiceMean = weightedSum(weights, dWeights);
        const double balanceMean = balanced ? weightedSum(probabilities, balance.data()) : 0.0;
        for (std::size_t e = 0; e < experts; ++e) {
            const double p = static_cast<double>(probabilities[e]);
            const double w = static_cast<double>(weights[e]);
            const double direct = w != 0.0 ? w * static_cast<double>(dWeights[e]) : 0.0;
            const double chosen = direct - (routed.normalised ? w : p) * choiceMean;
            const double even = balanced ? p * (balance[e] - balanceMean) : 0.0;
            logits.data[row * size.columns + static_cast<std::int64_t>(e)] =
                static_cast<float>(chosen + even);
        }
    }
}

} // namespace headscope
