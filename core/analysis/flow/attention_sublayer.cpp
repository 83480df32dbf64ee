#include "core/analysis/flow/attention_sublayer.h"

#include "core/analysis/lens/frozen_norm.h"
#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/ops/linear.h"
#include "core/ops/matmul.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace headscope {

namespace {

/// Largest |z - A v| of a head that has not been replaced, relative to A |v|: more than the rounding
/// of activations that another program captured in half precision.
constexpr double kReplaced = 1e-2;

} // namespace

std::string attentionName(const SublayerIndex& place)
{
    const char* const stack = place.stack == Stack::Blocks    ? "h"
                              : place.stack == Stack::Encoder ? "enc"
                                                              : "dec";
    return fmt::format("{}.{}.{}", stack, place.layer, place.cross ? "cross" : "attn");
}

float dotProduct(const float* a, const float* b, std::int64_t count)
{
    return std::inner_product(a, a + count, b, 0.0F);
}

AttentionSublayer::AttentionSublayer(const Trace& trace, const Model& model,
                                     const SublayerIndex& place)
    : m_trace(trace)
    , m_place(place)
    , m_pattern(wanted(place.cross ? Site::CrossPattern : Site::Pattern))
    , m_values(wanted(place.cross ? Site::CrossValue : Site::Value))
    , m_weights(m_pattern->view())
    , m_vectors(m_values->view())
    , m_output(model.parameters().view(attentionName(place) + ".o.weight"))
    , m_hasResidual(model.config().hasResidual())
    , m_isReplaced(static_cast<std::size_t>(heads()))
{
    if (const TensorView bias = outputBias(model, place)) {
        m_bias = Tensor(bias.shape);
        std::copy_n(bias.data, m_bias.size(), m_bias.data());
    }
    if (model.config().normsOutput() || model.config().residualScale != 1.0)
        foldOutput(model);
    findReplacedHeads();
}

/// Multiplies W_O and its bias by the gain of the norm after them (of the kind RMS) and by the
/// factor of sublayers, and finds what the norm divides each query's output by.
void AttentionSublayer::foldOutput(const Model& model)
{
    const ModelConfig& config = model.config();
    const std::string block = attentionName(m_place);
    const std::string norm = attentionOutputNorm(config, block.substr(0, block.rfind('.')));
    std::vector<double> gain(static_cast<std::size_t>(width()), config.residualScale);
    if (config.normsOutput()) {
        const auto z = wanted(Site::Z);
        Tensor raw({queries(), width()});
        linear({z->data(), {queries(), heads() * channels()}}, m_output,
               m_bias.empty() ? TensorView() : m_bias.view(), raw.view());
        for (std::int64_t query = 0; query < queries(); ++query) {
            const std::span<const float> row(raw.view()[query].data,
                                             static_cast<std::size_t>(width()));
            m_factors.push_back(static_cast<float>(frozenNorm(config, row).inverseDeviation));
        }
        const TensorView gamma = model.parameters().view(norm + ".weight");
        for (std::size_t row = 0; row < gain.size(); ++row)
            gain[row] *= double{gamma.data[row]} + gainOffset(config);
    }
    m_folded = Tensor(m_output.shape);
    for (std::int64_t row = 0; row < width(); ++row) {
        const auto factor = static_cast<float>(gain[static_cast<std::size_t>(row)]);
        std::transform(m_output[row].data, m_output[row].data + m_output.shape[1],
                       m_folded.view()[row].data, [factor](float value) { return factor * value; });
        if (!m_bias.empty())
            m_bias.data()[row] *= factor;
    }
    m_output = m_folded.view();
}

std::vector<int> AttentionSublayer::replacedHeads() const
{
    std::vector<int> replaced;
    for (std::int64_t head = 0; head < heads(); ++head)
        if (isReplaced(head))
            replaced.push_back(static_cast<int>(head));
    return replaced;
}

Tensor AttentionSublayer::projected(std::int64_t key) const
{
    Tensor result({heads(), width()});
    for (std::int64_t head = 0; head < heads(); ++head)
        for (std::int64_t row = 0; row < width(); ++row)
            result.view()(head, row) =
                dotProduct(&m_output(row, head * channels()), value(head, key), channels());
    return result;
}

Tensor AttentionSublayer::throughOutput(const float* rows, std::int64_t count, std::int64_t stride,
                                        std::int64_t head) const
{
    Tensor result({count, width()});
    matmul(Transpose::No, Transpose::Yes, count, width(), channels(), 1.0F, rows, stride,
           m_output.data + head * channels(), m_output.stride(0), 0.0F, result.data(), width());
    return result;
}

Tensor AttentionSublayer::projectedHead(std::int64_t head) const
{
    return throughOutput(value(head, 0), keys(), m_vectors.stride(0), head);
}

Tensor AttentionSublayer::written(std::int64_t head) const
{
    const auto z = wanted(m_place.cross ? Site::CrossZ : Site::Z);
    Tensor rows = throughOutput(&z->view()(0, head, 0), queries(), z->view().stride(0), head);
    for (std::int64_t query = 0; !m_factors.empty() && query < queries(); ++query)
        std::transform(rows.view()[query].data, rows.view()[query].data + width(),
                       rows.view()[query].data,
                       [factor = outputFactor(query)](float value) { return factor * value; });
    return rows;
}

Tensor AttentionSublayer::squaredLengths(const std::stop_token& stop) const
{
    Tensor result({queries(), keys()});
    std::vector<double> products(static_cast<std::size_t>(heads() * heads()));
    std::vector<float> weights(static_cast<std::size_t>(heads()));
    for (std::int64_t key = 0; key < keys(); ++key) {
        throwIfStopped(stop);
        const Tensor values = projected(key);
        for (std::int64_t a = 0; a < heads(); ++a)
            for (std::int64_t b = 0; b < heads(); ++b)
                products[static_cast<std::size_t>(a * heads() + b)] =
                    dotProduct(&values.view()(a, 0), &values.view()(b, 0), width());
        for (std::int64_t query = 0; query < queries(); ++query) {
            for (std::int64_t head = 0; head < heads(); ++head)
                weights[static_cast<std::size_t>(head)] = weight(head, query, key);
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

std::vector<float> AttentionSublayer::pulledBack(const float* whole, std::int64_t head) const
{
    std::vector<float> result(static_cast<std::size_t>(channels()));
    for (std::int64_t row = 0; row < width(); ++row)
        for (std::int64_t channel = 0; channel < channels(); ++channel)
            result[static_cast<std::size_t>(channel)] +=
                whole[row] * m_output(row, head * channels() + channel);
    return result;
}

std::shared_ptr<const Tensor> AttentionSublayer::before() const
{
    if (!m_hasResidual)
        return std::make_shared<const Tensor>(Shape{queries(), width()});
    return wanted(m_place.cross ? Site::ResidMid : Site::ResidPre);
}

std::shared_ptr<const Tensor> AttentionSublayer::wanted(Site site) const
{
    const TraceKey key{site, m_place.layer, m_place.stack};
    auto found = m_trace.find(key);
    if (!found)
        throw Error(fmt::format("the trace contains no {}", toString(key)), "contributions",
                    "Trace the pattern, the values and the stream of all layers");
    return found;
}

void AttentionSublayer::findReplacedHeads()
{
    const auto z =
        m_trace.find({m_place.cross ? Site::CrossZ : Site::Z, m_place.layer, m_place.stack});
    for (std::int64_t head = 0; z && head < heads(); ++head)
        m_isReplaced[static_cast<std::size_t>(head)] = isReplacedBy(*z, head);
}

bool AttentionSublayer::isReplacedBy(const Tensor& z, std::int64_t head) const
{
    const TensorView recordedRows = z.view();
    const auto size = static_cast<std::size_t>(channels());
    std::vector<float> sum(size);
    std::vector<float> magnitude(size); ///< A |v|, the scale of rounding errors.
    for (std::int64_t query = 0; query < queries(); ++query) {
        std::ranges::fill(sum, 0.0F);
        std::ranges::fill(magnitude, 0.0F);
        for (std::int64_t key = 0; key < keys(); ++key) {
            const float weight = m_weights(head, query, key);
            if (weight == 0.0F)
                continue;
            const float* const v = value(head, key);
            for (std::size_t channel = 0; channel < size; ++channel) {
                sum[channel] += weight * v[channel];
                magnitude[channel] += weight * std::abs(v[channel]);
            }
        }
        const double allowed = kReplaced * double{*std::ranges::max_element(magnitude)};
        for (std::size_t channel = 0; channel < size; ++channel) {
            const double recorded = recordedRows(query, head, static_cast<std::int64_t>(channel));
            if (std::abs(recorded - double{sum[channel]}) > allowed)
                return true;
        }
    }
    return false;
}

} // namespace headscope
