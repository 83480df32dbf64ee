#include "core/analysis/contributions.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr double kReplaced = 1e-3; ///< largest |z - A v| of a head that is as computed

std::string outputName(const SublayerPlace& place)
{
    const char* const stack = place.stack == Stack::Blocks    ? "h"
                              : place.stack == Stack::Encoder ? "enc"
                                                              : "dec";
    return fmt::format("{}.{}.{}.o", stack, place.layer, place.cross ? "cross" : "attn");
}

float dot(const float* a, const float* b, std::int64_t count)
{
    return std::inner_product(a, a + count, b, 0.0F);
}

/// The activations of one sublayer, and the values of every head taken through W_O.
class Sublayer
{
public:
    Sublayer(const Trace& trace, const Model& model, const SublayerPlace& place)
        : m_trace(trace)
        , m_place(place)
        , m_pattern(wanted(place.cross ? Site::CrossPattern : Site::Pattern))
        , m_values(wanted(place.cross ? Site::CrossValue : Site::Value))
        , m_output(model.parameters().view(outputName(place) + ".weight"))
        , m_isReplaced(static_cast<std::size_t>(heads()))
    {
        findReplacedHeads();
    }

    std::int64_t heads() const { return m_pattern->shape()[0]; }

    std::int64_t queries() const { return m_pattern->shape()[1]; }

    std::int64_t keys() const { return m_pattern->shape()[2]; }

    std::int64_t width() const { return m_output.shape[0]; }

    std::int64_t channels() const { return m_values->shape()[2]; }

    float weight(std::int64_t head, std::int64_t query, std::int64_t key) const
    {
        return isReplaced(head) ? 0.0F : m_pattern->view()(head, query, key);
    }

    bool isReplaced(std::int64_t head) const
    {
        return m_isReplaced[static_cast<std::size_t>(head)];
    }

    const float* value(std::int64_t head, std::int64_t key) const
    {
        return &m_values->view()(key, head * m_values->shape()[1] / heads(), 0);
    }

    /// v_hj W_O^h, [heads, d].
    Tensor projected(std::int64_t key) const
    {
        Tensor result({heads(), width()});
        for (std::int64_t head = 0; head < heads(); ++head)
            for (std::int64_t row = 0; row < width(); ++row)
                result.view()(head, row) =
                    dot(&m_output(row, head * channels()), value(head, key), channels());
        return result;
    }

    /// The row vector y (W_O^h)^T of one head: its dot product with v_hj is y . v_hj W_O^h.
    std::vector<float> pulledBack(const float* whole, std::int64_t head) const
    {
        std::vector<float> result(static_cast<std::size_t>(channels()));
        for (std::int64_t row = 0; row < width(); ++row)
            for (std::int64_t channel = 0; channel < channels(); ++channel)
                result[static_cast<std::size_t>(channel)] +=
                    whole[row] * m_output(row, head * channels() + channel);
        return result;
    }

    std::shared_ptr<const Tensor> wanted(Site site) const
    {
        const TraceKey key{site, m_place.layer, m_place.stack};
        auto found = m_trace.find(key);
        if (!found)
            throw Error(fmt::format("the trace holds no {}", toString(key)), "contributions",
                        "Trace the pattern, the values and the stream of all layers");
        return found;
    }

private:
    void findReplacedHeads()
    {
        const auto z =
            m_trace.find({m_place.cross ? Site::CrossZ : Site::Z, m_place.layer, m_place.stack});
        for (std::int64_t head = 0; z && head < heads(); ++head)
            m_isReplaced[static_cast<std::size_t>(head)] = isReplacedBy(*z, head);
    }

    bool isReplacedBy(const Tensor& z, std::int64_t head) const
    {
        std::vector<float> sum(static_cast<std::size_t>(channels()));
        for (std::int64_t query = 0; query < queries(); ++query) {
            std::fill(sum.begin(), sum.end(), 0.0F);
            for (std::int64_t key = 0; key < keys(); ++key) {
                const float weight = m_pattern->view()(head, query, key);
                if (weight == 0.0F)
                    continue;
                const float* const v = value(head, key);
                for (std::size_t channel = 0; channel < sum.size(); ++channel)
                    sum[channel] += weight * v[channel];
            }
            for (std::size_t channel = 0; channel < sum.size(); ++channel) {
                const double recorded = z.view()(query, head, static_cast<std::int64_t>(channel));
                if (std::abs(recorded - double{sum[channel]}) >
                    kReplaced * std::max(1.0, std::abs(recorded)))
                    return true;
            }
        }
        return false;
    }

    const Trace& m_trace;
    SublayerPlace m_place;
    std::shared_ptr<const Tensor> m_pattern;
    std::shared_ptr<const Tensor> m_values;
    TensorView m_output; ///< [d, heads * channels]
    std::vector<bool> m_isReplaced;
};

/// |f_ij|^2 for all pairs, from the dot products of the heads' projected values.
Tensor squaredLengths(const Sublayer& layer)
{
    const std::int64_t heads = layer.heads();
    Tensor result({layer.queries(), layer.keys()});
    std::vector<double> products(static_cast<std::size_t>(heads * heads));
    std::vector<float> weights(static_cast<std::size_t>(heads));
    for (std::int64_t key = 0; key < layer.keys(); ++key) {
        const Tensor projected = layer.projected(key);
        for (std::int64_t a = 0; a < heads; ++a)
            for (std::int64_t b = 0; b < heads; ++b)
                products[static_cast<std::size_t>(a * heads + b)] =
                    dot(&projected.view()(a, 0), &projected.view()(b, 0), layer.width());
        for (std::int64_t query = 0; query < layer.queries(); ++query) {
            for (std::int64_t head = 0; head < heads; ++head)
                weights[static_cast<std::size_t>(head)] = layer.weight(head, query, key);
            double sum = 0.0;
            for (std::size_t a = 0; a < weights.size(); ++a)
                for (std::size_t b = 0; b < weights.size(); ++b)
                    sum +=
                        double{weights[a]} * double{weights[b]} * products[a * weights.size() + b];
            result.view()(query, key) = static_cast<float>(std::max(sum, 0.0));
        }
    }
    return result;
}

/// y_i . f_ij for all keys of one query.
std::vector<double> alongWhole(const Sublayer& layer, const float* whole, std::int64_t query)
{
    std::vector<double> along(static_cast<std::size_t>(layer.keys()));
    for (std::int64_t head = 0; head < layer.heads(); ++head) {
        const std::vector<float> pulled = layer.pulledBack(whole, head);
        for (std::int64_t key = 0; key < layer.keys(); ++key) {
            const float weight = layer.weight(head, query, key);
            if (weight != 0.0F)
                along[static_cast<std::size_t>(key)] +=
                    double{weight} *
                    double{dot(pulled.data(), layer.value(head, key), layer.channels())};
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

void divideRow(SublayerShares& shares, std::int64_t query)
{
    const std::int64_t keys = shares.tokens.shape()[1];
    float* const row = &shares.tokens.view()(query, 0);
    float& residual = shares.residual.view()(query);
    const double sum = std::accumulate(row, row + keys, double{residual});
    if (!(sum > 0.0)) { // nothing came in: the stream is its own
        residual = 1.0F;
        return;
    }
    const auto factor = static_cast<float>(1.0 / sum);
    std::transform(row, row + keys, row, [factor](float part) { return part * factor; });
    residual *= factor;
}

} // namespace

SublayerShares sublayerShares(const Trace& trace, const Model& model, SublayerPlace place,
                              ContributionMeasure measure)
{
    const Sublayer layer(trace, model, place);
    const auto before = layer.wanted(place.cross ? Site::ResidMid : Site::ResidPre);
    const bool byDistance = measure == ContributionMeasure::Distance;
    const auto out =
        byDistance ? layer.wanted(place.cross ? Site::CrossOut : Site::AttnOut) : nullptr;
    const std::int64_t width = layer.width();
    SublayerShares shares{squaredLengths(layer), Tensor({layer.queries()}), {}};
    std::vector<float> whole(static_cast<std::size_t>(width));
    for (std::int64_t query = 0; query < layer.queries(); ++query) {
        const float* const x = &before->view()(query, 0);
        float* const row = &shares.tokens.view()(query, 0);
        const double own = dot(x, x, width);
        if (byDistance) {
            std::transform(x, x + width, &out->view()(query, 0), whole.begin(), std::plus<>());
            const double squared = dot(whole.data(), whole.data(), width);
            const std::vector<double> along = alongWhole(layer, whole.data(), query);
            for (std::size_t key = 0; key < along.size(); ++key)
                row[key] = static_cast<float>(nearer(squared, along[key], double{row[key]}));
            shares.residual.view()(query) =
                static_cast<float>(nearer(squared, dot(whole.data(), x, width), own));
        } else {
            std::transform(row, row + layer.keys(), row,
                           [](float part) { return std::sqrt(part); });
            shares.residual.view()(query) = static_cast<float>(std::sqrt(own));
        }
        divideRow(shares, query);
    }
    for (std::int64_t head = 0; head < layer.heads(); ++head)
        if (layer.isReplaced(head))
            shares.replacedHeads.push_back(static_cast<int>(head));
    return shares;
}

Tensor tokenParts(const Trace& trace, const Model& model, SublayerPlace place, std::int64_t query)
{
    const Sublayer layer(trace, model, place);
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

std::vector<float> headParts(const Trace& trace, const Model& model, SublayerPlace place,
                             std::int64_t query, std::int64_t key)
{
    const Sublayer layer(trace, model, place);
    const Tensor projected = layer.projected(key);
    std::vector<float> lengths;
    for (std::int64_t head = 0; head < layer.heads(); ++head) {
        const float* const row = &projected.view()(head, 0);
        lengths.push_back(layer.weight(head, query, key) * std::sqrt(dot(row, row, layer.width())));
    }
    return lengths;
}

TensorView outputBias(const Model& model, SublayerPlace place)
{
    const std::string name = outputName(place) + ".bias";
    const auto& specs = model.parameters().specs();
    const bool exists = std::any_of(specs.begin(), specs.end(), [&name](const ParameterSpec& spec) {
        return spec.name == name;
    });
    return exists ? model.parameters().view(name) : TensorView();
}

} // namespace headscope
