#include "core/analysis/flow/value_norms.h"

#include "core/analysis/flow/attention_sublayer.h"
#include "core/base/error.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

double lengthOf(const float* vector, std::int64_t count)
{
    double sum = 0.0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += double{vector[i]} * double{vector[i]};
    return std::sqrt(sum);
}

Tensor lengthsOf(const AttentionSublayer& layer, const std::stop_token& stop)
{
    Tensor lengths({layer.heads(), layer.keys()});
    const auto heads = static_cast<std::size_t>(layer.heads());
    parallelForEach(heads, workerCount(), stop, [&](std::size_t index) {
        const auto head = static_cast<std::int64_t>(index);
        const Tensor projected = layer.projectedHead(head);
        for (std::int64_t key = 0; key < layer.keys(); ++key)
            lengths.view()(head, key) =
                static_cast<float>(lengthOf(&projected.view()(key, 0), layer.width()));
    });
    return lengths;
}

} // namespace

Tensor valueNorms(const Trace& trace, const Model& model, SublayerIndex place,
                  const std::stop_token& stop)
{
    const AttentionSublayer layer(trace, model, place);
    const Tensor lengths = lengthsOf(layer, stop);
    Tensor norms({layer.heads(), layer.queries(), layer.keys()});
    float* norm = norms.data();
    for (std::int64_t head = 0; head < layer.heads(); ++head)
        for (std::int64_t query = 0; query < layer.queries(); ++query)
            for (std::int64_t key = 0; key < layer.keys(); ++key)
                *norm++ =
                    layer.weight(head, query, key) * lengths.data()[head * layer.keys() + key];
    return norms;
}

std::vector<int> replacedHeads(const Trace& trace, const Model& model, SublayerIndex place)
{
    return AttentionSublayer(trace, model, place).replacedHeads();
}

Tensor rowsToOne(TensorView weights)
{
    Tensor rows(weights.shape);
    const std::int64_t keys = weights.shape.back();
    if (!weights.isContiguous() || keys == 0)
        throw ShapeError("weights " + weights.shape.toString() + " that are not contiguous",
                         "rowsToOne");
    for (std::size_t first = 0; first < rows.size(); first += static_cast<std::size_t>(keys)) {
        const float* const from = weights.data + first;
        const double sum = std::accumulate(from, from + keys, 0.0);
        if (sum > 0.0)
            std::transform(from, from + keys, rows.data() + first, [sum](float weight) {
                return static_cast<float>(double{weight} / sum);
            });
    }
    return rows;
}

} // namespace headscope
