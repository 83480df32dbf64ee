// The attention sublayers of a LogitWalk.
#include "core/analysis/lens/logit_walk.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

constexpr double kReplaced = 1e-4; ///< of what the heads add: more than rounding

} // namespace

Direction LogitWalk::towardsHeads(int wanted, bool cross)
{
    fromLogits();
    for (int layer = m_layers - 1; layer > wanted; --layer)
        throughBlock(layer);
    beforeBlockEnd(wanted);
    throughMlp(wanted);
    if (hasCross()) {
        beforeAttention(wanted, true);
        if (cross)
            return pulledBack(wanted, true);
        throughAttention(wanted, true);
    }
    beforeAttention(wanted, false);
    return pulledBack(wanted, false);
}

double LogitWalk::headValue(const Direction& pulled, const float* z, std::int64_t head) const
{
    const auto channels = static_cast<std::int64_t>(pulled.size()) / m_config.heads;
    double sum = 0.0;
    for (std::int64_t channel = head * channels; channel < (head + 1) * channels; ++channel)
        sum += pulled[static_cast<std::size_t>(channel)] * double{z[channel]};
    return sum;
}

/// direction (W_O)^T
Direction LogitWalk::pulledBack(int layer, bool cross) const
{
    const TensorView weight = // [d, heads * channels]
        m_model.parameters().view(prefix(layer) + (cross ? ".cross.o" : ".attn.o") + ".weight");
    Direction pulled(static_cast<std::size_t>(weight.shape[1]));
    for (std::int64_t channel = 0; channel < weight.shape[0]; ++channel) {
        const double factor = m_direction[static_cast<std::size_t>(channel)];
        const float* const from = weight[channel].data;
        for (std::size_t column = 0; column < pulled.size(); ++column)
            pulled[column] += factor * double{from[column]};
    }
    return pulled;
}

/// Only looked for where the parts do not add up to what was recorded.
void LogitWalk::addReplacedOutput(int layer, bool cross, double parts)
{
    const float* const is = row(at(cross ? Site::CrossOut : Site::AttnOut, layer));
    const double whole = along(m_direction, is);
    double size = 0.0;
    for (std::int64_t channel = 0; channel < width(); ++channel)
        size += std::abs(m_direction[static_cast<std::size_t>(channel)] * double{is[channel]});
    if (std::abs(whole - parts) > kReplaced * std::max(size, std::abs(parts)))
        add(LogitPartKind::Replaced, layer, whole - parts);
}

void LogitWalk::throughAttention(int layer, bool cross)
{
    const Direction pulled = pulledBack(layer, cross);
    const float* const z = row(at(cross ? Site::CrossZ : Site::Z, layer));
    const SublayerPlace place{m_stack, layer, cross};
    const TensorView bias = outputBias(m_model, place);
    const double biasValue = bias ? along(m_direction, bias.data) : 0.0;
    std::vector<double> values;
    for (std::int64_t head = 0; head < m_config.heads; ++head)
        values.push_back(headValue(pulled, z, head));
    addReplacedOutput(layer, cross, std::accumulate(values.begin(), values.end(), biasValue));
    if (bias)
        add(LogitPartKind::AttentionBias, layer, biasValue, cross);
    for (std::size_t head = values.size(); head-- > 0;) {
        add(LogitPartKind::Head, layer, values[head], cross);
        m_parts.back().head = static_cast<int>(head);
    }
}

} // namespace headscope
