#pragma once

#include "core/analysis/flow/contributions.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace headscope::test {

/// Self-attention of one stack's last layer, or all three kinds of an encoder-decoder.
inline std::vector<SublayerIndex> attentionPlaces(const ModelConfig& config)
{
    if (config.layers == 0)
        return {};
    const int last = static_cast<int>(config.layers) - 1;
    if (!config.isEncoderDecoder())
        return {{Stack::Blocks, last, false}};
    const int lastOfDecoder = static_cast<int>(config.decoderLayerCount()) - 1;
    return {{Stack::Encoder, last, false},
            {Stack::Decoder, 0, false},
            {Stack::Decoder, lastOfDecoder, true}};
}

inline std::shared_ptr<const Tensor> recordedAt(const Trace& trace, const SublayerIndex& place,
                                                Site self, Site cross)
{
    return trace.find({place.cross ? cross : self, place.layer, place.stack});
}

/// `row` [channels] of one head through its slice of W_O, [d], by plain loops in double.
inline std::vector<double> throughOutput(const Model& model, const SublayerIndex& place,
                                         std::int64_t head, TensorView row)
{
    const std::string stack = place.stack == Stack::Blocks    ? "h."
                              : place.stack == Stack::Encoder ? "enc."
                                                              : "dec.";
    const TensorView output = model.parameters().view(
        stack + std::to_string(place.layer) + (place.cross ? ".cross" : ".attn") + ".o.weight");
    std::vector<double> result(static_cast<std::size_t>(output.shape[0]));
    for (std::int64_t i = 0; i < output.shape[0]; ++i)
        for (std::int64_t channel = 0; channel < row.shape[0]; ++channel)
            result[static_cast<std::size_t>(i)] +=
                double{row(channel)} * double{output(i, head * row.shape[0] + channel)};
    return result;
}

/// What each channel of the output of W_O is multiplied by before it is added to the stream, [d]:
/// gain / root mean square where a norm follows, and the model's factor.
inline std::vector<double> afterOutput(const Trace& trace, const Model& model,
                                       const SublayerIndex& place, std::int64_t query)
{
    const ModelConfig& config = model.config();
    std::vector<double> factors(static_cast<std::size_t>(config.dModel), config.residualScale);
    if (!config.normsOutput())
        return factors;
    const TensorView z = recordedAt(trace, place, Site::Z, Site::CrossZ)->view();
    std::vector<double> raw(factors.size());
    const TensorView bias = outputBias(model, place);
    for (std::size_t i = 0; bias && i < raw.size(); ++i)
        raw[i] = double{bias.data[i]};
    for (std::int64_t head = 0; head < z.shape[1]; ++head) {
        const std::vector<double> part = throughOutput(model, place, head, z[query][head]);
        for (std::size_t i = 0; i < raw.size(); ++i)
            raw[i] += part[i];
    }
    double squares = 0.0;
    for (const double value : raw)
        squares += value * value;
    const double deviation =
        std::sqrt(squares / static_cast<double>(raw.size()) + config.normEpsilon);
    const bool both = config.normPosition == NormPosition::Both;
    const TensorView gamma = model.parameters().view("h." + std::to_string(place.layer) +
                                                     (both ? ".ln1_out.weight" : ".ln1.weight"));
    const double offset = config.norm == Norm::RmsUnitOffset ? 1.0 : 0.0;
    for (std::size_t i = 0; i < raw.size(); ++i)
        factors[i] *= (double{gamma.data[i]} + offset) / deviation;
    return factors;
}

/// A_hij f_h(x_j), [d].
inline std::vector<double> plainPart(const Trace& trace, const Model& model,
                                     const SublayerIndex& place, std::int64_t head,
                                     std::int64_t query, std::int64_t key)
{
    const auto pattern = recordedAt(trace, place, Site::Pattern, Site::CrossPattern);
    const auto values = recordedAt(trace, place, Site::Value, Site::CrossValue);
    const std::int64_t group = head * values->shape()[1] / pattern->shape()[0];
    std::vector<double> part = throughOutput(model, place, head, values->view()[key][group]);
    const std::vector<double> factors = afterOutput(trace, model, place, query);
    for (std::size_t i = 0; i < part.size(); ++i)
        part[i] *= double{pattern->view()(head, query, key)} * factors[i];
    return part;
}

/// Bias of W_O as it is added at one query; empty without one.
inline std::vector<double> plainBias(const Trace& trace, const Model& model,
                                     const SublayerIndex& place, std::int64_t query)
{
    const TensorView bias = outputBias(model, place);
    if (!bias)
        return {};
    std::vector<double> part = afterOutput(trace, model, place, query);
    for (std::size_t i = 0; i < part.size(); ++i)
        part[i] *= double{bias.data[i]};
    return part;
}

} // namespace headscope::test
