#include "core/model/layers/expert_layer.h"

#include "core/model/pass/model_pass.h"
#include "core/ops/expert_router.h"
#include "core/ops/linear.h"
#include "core/ops/row_selection.h"

#include <algorithm>

namespace headscope {

namespace {

/// Views `count` rows of `width` from row `first` on in `memory`.
MutableTensorView rowsAt(MutableTensorView memory, std::int64_t first, std::int64_t count,
                         std::int64_t width)
{
    return {memory.data + first * width, {count, width}};
}

/// Clears the gradients of an expert without rows.
void clearGradients(const ModelPass& pass, const FeedForwardRef& part)
{
    for (const LinearRef* linear : {&part.expand, &part.contract}) {
        pass.parameterGradient(linear->weight);
        pass.parameterGradient(linear->bias);
    }
}

} // namespace

/// One expert's part of the gathered rows.
struct ExpertLayer::Slice
{
    const std::vector<std::int32_t>& rows; ///< Rows of the batch.
    std::int64_t first;                    ///< First of the gathered rows.
    std::int64_t count;
    MutableTensorView gathered; ///< Gathered rows [count, d].
    MutableTensorView hidden;   ///< Pre-activations [count, d_ff or 2 d_ff].
    MutableTensorView results;  ///< Results [count, d].
};

std::vector<std::int32_t>& ExpertLayer::rowsOf(ModelPass& pass, std::size_t expert) const
{
    return pass.workspace
        .expertRows[static_cast<std::size_t>(m_settings.slot) * m_settings.experts.size() + expert];
}

/// Lists the rows of each expert; the lists keep their memory from step to step.
void ExpertLayer::chooseRows(ModelPass& pass, TensorView weights) const
{
    const std::size_t experts = m_settings.experts.size();
    auto& lists = pass.workspace.expertRows;
    const std::size_t needed = (static_cast<std::size_t>(m_settings.slot) + 1) * experts;
    if (lists.size() < needed)
        lists.resize(needed);
    for (std::size_t expert = 0; expert < experts; ++expert) {
        std::vector<std::int32_t>& rows = rowsOf(pass, expert);
        rows.clear();
        rows.reserve(weights.shape[0]);
        for (std::int64_t row = 0; row < weights.shape[0]; ++row)
            if (weights(row, expert) != 0.0F)
                rows.push_back(static_cast<std::int32_t>(row));
    }
}

ExpertLayer::Slice ExpertLayer::sliceOf(ModelPass& pass, std::size_t expert,
                                        std::int64_t first) const
{
    const std::vector<std::int32_t>& rows = rowsOf(pass, expert);
    const auto count = std::ssize(rows);
    const std::int64_t d = pass.config.dModel;
    const FeedForwardRef& part = m_settings.experts[expert];
    const std::int64_t hiddenWidth = part.gated ? 2 * part.width : part.width;
    return {rows,
            first,
            count,
            rowsAt(pass.value(m_values.gathered), first, count, d),
            rowsAt(pass.value(m_values.hidden), first, count, hiddenWidth),
            rowsAt(pass.value(m_values.results), first, count, d)};
}

/// Weights that scale an expert's rows on return.
std::span<float> ExpertLayer::scalesOf(ModelPass& pass, std::size_t expert,
                                       const Slice& slice) const
{
    const TensorView weights = pass.value(m_values.weights);
    std::vector<float>& scales = pass.workspace.expertScales;
    scales.reserve(weights.shape[0]);
    scales.resize(slice.rows.size());
    std::transform(slice.rows.begin(), slice.rows.end(), scales.begin(),
                   [&](std::int32_t row) { return weights(row, expert); });
    return scales;
}

std::optional<TraceKey> ExpertLayer::outputSite() const
{
    return m_settings.notesOutput ? std::optional(m_settings.place.key(Site::MlpOut))
                                  : std::nullopt;
}

void ExpertLayer::forward(ModelPass& pass) const
{
    const MutableTensorView in = pass.value(m_values.in);
    const MutableTensorView probabilities = pass.value(m_values.probabilities);
    const MutableTensorView weights = pass.value(m_values.weights);
    pass.linear(m_settings.router, in, probabilities);
    routeTopK(probabilities, m_settings.topK, {probabilities, weights, m_settings.normalised});
    if (pass.inspects()) {
        pass.note(m_settings.place.key(Site::RouterProbs), probabilities);
        pass.note(m_settings.place.key(Site::ExpertWeights), weights);
    }
    if (pass.training || pass.loss.balanceScale != 0.0) // a run logs it even without its gradient
        pass.loss.balanceSum +=
            balancingLoss({probabilities, weights}, pass.texts.queryTokens, pass.texts.keyMask);
    chooseRows(pass, weights);

    const MutableTensorView sublayer = pass.scratch(m_values.scratch);
    std::fill_n(sublayer.data, sublayer.shape.elementCount(), 0.0F);
    std::int64_t first = 0;
    for (std::size_t expert = 0; expert < m_settings.experts.size(); ++expert) {
        const Slice slice = sliceOf(pass, expert, first);
        first += slice.count;
        if (slice.count == 0)
            continue;
        const FeedForwardRef& part = m_settings.experts[expert];
        gatherRows(in, slice.rows, slice.gathered);
        const MutableTensorView active =
            rowsAt(pass.scratch(m_values.active), slice.first, slice.count, part.width);
        pass.linear(part.expand, slice.gathered, slice.hidden);
        FeedForwardRef withoutBias = part;
        withoutBias.expand.bias = {};
        activate(pass, withoutBias, slice.hidden, active);
        pass.linear(part.contract, active, slice.results);
        scatterAddRows(slice.results, slice.rows, sublayer, scalesOf(pass, expert, slice));
    }
    if (m_settings.shared)
        m_settings.shared->forward(pass, in, sublayer);
    addSublayer(pass, sublayer, m_values.residual, m_values.out, outputSite(),
                m_settings.dropoutSite);
}

void ExpertLayer::backwardExpert(ModelPass& pass, std::size_t expert, const Slice& slice,
                                 TensorView dy) const
{
    // forward: y[row] += weight * (W2 f(W1 x[row] + b1) + b2)
    const std::int64_t d = pass.config.dModel;
    const FeedForwardRef& part = m_settings.experts[expert];
    const MutableTensorView dWeights = pass.scratch(m_values.dWeights);
    const MutableTensorView dResults = slice.results; // no longer needed
    const std::span<float> dots = scalesOf(pass, expert, slice);
    selectedRowDots(slice.results, dy, slice.rows, dots);
    for (std::size_t i = 0; i < dots.size(); ++i)
        dWeights(slice.rows[i], expert) = dots[i];
    gatherRows(dy, slice.rows, dResults, scalesOf(pass, expert, slice));
    const auto at = [&](ValueRef scratch, std::int64_t width) {
        return rowsAt(pass.scratch(scratch), slice.first, slice.count, width);
    };
    const MutableTensorView active = at(m_values.active, part.width);
    const MutableTensorView dHidden = at(m_values.dHidden, slice.hidden.shape[1]);
    const MutableTensorView dActive = at(m_values.dActive, part.width);
    linearBackward(active, pass.parameter(part.contract.weight), dResults, {dActive, {}, {}});
    activateBackward(pass, part, slice.hidden, dActive, dHidden, active);
    pass.linearBackward(part.contract, active, dResults, {}, false);
    LinearRef withoutBias = part.expand;
    withoutBias.bias = {};
    pass.linearBackward(withoutBias, slice.gathered, dHidden, at(m_values.dGathered, d), false);
}

void ExpertLayer::backward(ModelPass& pass) const
{
    const std::int64_t d = pass.config.dModel;
    // With a norm after the sum, `in` is the residual itself, whose gradient already holds dy.
    const bool sameStream = m_values.in == m_values.residual;
    const TensorView dy = sublayerGradient(pass, m_values.out, m_values.scratch, outputSite(),
                                           m_settings.dropoutSite, sameStream);
    const MutableTensorView dIn = pass.gradient(m_values.in);
    const MutableTensorView dWeights = pass.scratch(m_values.dWeights);
    const MutableTensorView probabilities = pass.value(m_values.probabilities);
    const MutableTensorView weights = pass.value(m_values.weights);
    std::fill_n(dWeights.data, dWeights.shape.elementCount(), 0.0F);
    if (!pass.accumulates(m_values.in) && !sameStream)
        std::fill_n(dIn.data, dIn.shape.elementCount(), 0.0F);
    std::int64_t first = 0;
    for (std::size_t expert = 0; expert < m_settings.experts.size(); ++expert) {
        const Slice slice = sliceOf(pass, expert, first);
        first += slice.count;
        if (slice.count == 0) {
            clearGradients(pass, m_settings.experts[expert]);
            continue;
        }
        backwardExpert(pass, expert, slice, dy);
        const MutableTensorView dGathered =
            rowsAt(pass.scratch(m_values.dGathered), slice.first, slice.count, d);
        scatterAddRows(dGathered, slice.rows, dIn);
    }
    if (m_settings.shared)
        m_settings.shared->backward(pass, pass.value(m_values.in), dy, dIn);
    if (pass.inspects())
        pass.noteGradient(m_settings.place.key(Site::ExpertWeights), dWeights);
    pass.workspace.expertLoads.resize(m_settings.experts.size());
    routeTopKBackward({probabilities, weights, m_settings.normalised},
                      {dWeights, pass.loss.balanceScale, pass.texts.queryTokens, pass.texts.keyMask,
                       pass.workspace.expertLoads},
                      dWeights);
    pass.linearBackward(m_settings.router, pass.value(m_values.in), dWeights, dIn, true);
}

} // namespace headscope
