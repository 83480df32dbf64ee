#include "core/analysis/flow/contributions.h"

#include "core/analysis/flow/attention_sublayer.h"
#include "core/analysis/lens/frozen_norm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

/// Dot products y_i . f_ij for all keys of one query.
std::vector<double> alongWhole(const AttentionSublayer& layer, const float* whole,
                               std::int64_t query)
{
    std::vector<double> along(static_cast<std::size_t>(layer.keys()));
    for (std::int64_t head = 0; head < layer.heads(); ++head) {
        const std::vector<float> pulled = layer.pulledBack(whole, head);
        for (std::int64_t key = 0; key < layer.keys(); ++key) {
            const float weight = layer.weight(head, query, key);
            if (weight != 0.0F)
                along[static_cast<std::size_t>(key)] +=
                    double{weight} *
                    double{dotProduct(pulled.data(), layer.value(head, key), layer.channels())};
        }
    }
    return along;
}

/// |y| - |y - part| from dot products alone, at least 0.
double nearer(double wholeSquared, double along, double partSquared)
{
    const double rest = std::max(wholeSquared - 2.0 * along + partSquared, 0.0);
    return std::max(std::sqrt(wholeSquared) - std::sqrt(rest), 0.0);
}

void divideRow(SublayerContributions& contributions, std::int64_t query)
{
    const std::int64_t keys = contributions.tokens.shape()[1];
    float* const row = &contributions.tokens.view()(query, 0);
    float& residual = contributions.residual.view()(query);
    const double sum = std::accumulate(row, row + keys, double{residual});
    if (!(sum > 0.0)) { // nothing was added: the stream is the residual alone
        residual = 1.0F;
        return;
    }
    const auto factor = static_cast<float>(1.0 / sum);
    std::transform(row, row + keys, row, [factor](float part) { return part * factor; });
    residual *= factor;
}

} // namespace

SublayerContributions sublayerContributions(const Trace& trace, const Model& model,
                                            SublayerIndex place, ContributionMeasure measure)
{
    const AttentionSublayer layer(trace, model, place);
    const auto before = layer.before();
    const bool byDistance = measure == ContributionMeasure::Distance;
    const auto out =
        byDistance ? layer.wanted(place.cross ? Site::CrossOut : Site::AttnOut) : nullptr;
    const std::int64_t width = layer.width();
    SublayerContributions contributions{layer.squaredLengths(), Tensor({layer.queries()}), {}};
    std::vector<float> whole(static_cast<std::size_t>(width));
    for (std::int64_t query = 0; query < layer.queries(); ++query) {
        const float* const x = &before->view()(query, 0);
        float* const row = &contributions.tokens.view()(query, 0);
        const double own = dotProduct(x, x, width);
        if (byDistance) {
            std::transform(x, x + width, &out->view()(query, 0), whole.begin(), std::plus<>());
            const double squared = dotProduct(whole.data(), whole.data(), width);
            const std::vector<double> along = alongWhole(layer, whole.data(), query);
            for (std::size_t key = 0; key < along.size(); ++key)
                row[key] = static_cast<float>(nearer(squared, along[key], double{row[key]}));
            contributions.residual.view()(query) =
                static_cast<float>(nearer(squared, dotProduct(whole.data(), x, width), own));
        } else {
            std::transform(row, row + layer.keys(), row,
                           [](float part) { return std::sqrt(part); });
            contributions.residual.view()(query) = static_cast<float>(std::sqrt(own));
        }
        divideRow(contributions, query);
    }
    contributions.replacedHeads = layer.replacedHeads();
    return contributions;
}

Tensor tokenParts(const Trace& trace, const Model& model, SublayerIndex place, std::int64_t query)
{
    const AttentionSublayer layer(trace, model, place);
    Tensor parts({layer.keys(), layer.width()});
    for (std::int64_t key = 0; key < layer.keys(); ++key) {
        const Tensor projected = layer.projected(key);
        for (std::int64_t head = 0; head < layer.heads(); ++head)
            for (std::int64_t channel = 0; channel < layer.width(); ++channel)
                parts.view()(key, channel) +=
                    layer.weight(head, query, key) * projected.view()(head, channel);
    }
    return parts;
}

std::vector<float> headParts(const Trace& trace, const Model& model, SublayerIndex place,
                             std::int64_t query, std::int64_t key)
{
    const AttentionSublayer layer(trace, model, place);
    const Tensor projected = layer.projected(key);
    std::vector<float> lengths;
    for (std::int64_t head = 0; head < layer.heads(); ++head) {
        const float* const row = &projected.view()(head, 0);
        lengths.push_back(layer.weight(head, query, key) *
                          std::sqrt(dotProduct(row, row, layer.width())));
    }
    return lengths;
}

TensorView outputBias(const Model& model, SublayerIndex place)
{
    return parameterOrNothing(model, attentionName(place) + ".o.bias");
}

} // namespace headscope
