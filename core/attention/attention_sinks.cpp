#include "core/attention/attention_sinks.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Calls body(batch, head, row) for every row of every head.
template<class Body>
void forEachRow(const Shape& queries, const Body& body)
{
    for (std::int64_t batch = 0; batch < queries[0]; ++batch)
        for (std::int64_t head = 0; head < queries[1]; ++head)
            for (std::int64_t row = 0; row < queries[2]; ++row)
                body(batch, head, row);
}

void multiply(float* values, std::int64_t count, float factor)
{
    std::transform(values, values + count, values,
                   [factor](float value) { return factor * value; });
}

} // namespace

void applySinks(const AttentionInputs& inputs, MutableTensorView logSumExp,
                const AttentionOutputs& outputs)
{
    forEachRow(inputs.queries.shape, [&](std::int64_t batch, std::int64_t head, std::int64_t row) {
        float& scores = logSumExp(batch, head, row);
        const float sink = inputs.sinks(head);
        const float larger = std::max(scores, sink);
        const float smaller = scores < sink ? scores : sink; // NaN in either reaches the sum
        const float both = larger + std::log1p(std::exp(smaller - larger));
        const float kept = std::exp(scores - both);
        scores = both;
        multiply(&outputs.context(batch, head, row, 0), outputs.context.shape[3], kept);
        if (outputs.pattern)
            multiply(&outputs.pattern(batch, head, row, 0), outputs.pattern.shape[3], kept);
    });
}

void addSinkGradients(const AttentionInputs& inputs, const AttentionSaved& saved,
                      MutableTensorView gradients)
{
    forEachRow(inputs.queries.shape, [&](std::int64_t batch, std::int64_t head, std::int64_t row) {
        const float weight = std::exp(inputs.sinks(head) - saved.logSumExp(batch, head, row));
        const float* const context = &saved.context(batch, head, row, 0);
        const float* const upstream = &saved.contextGradient(batch, head, row, 0);
        float product = 0.0F;
        for (std::int64_t channel = 0; channel < saved.context.shape[3]; ++channel)
            product += context[channel] * upstream[channel];
        gradients(head) -= weight * product;
    });
}

} // namespace headscope
