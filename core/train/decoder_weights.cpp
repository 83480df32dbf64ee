#include "core/train/decoder_weights.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// q, k and v as one view over three neighbours.
template<class View>
View fuse(const View& q, const View& k, const View& v)
{
    const std::int64_t count = q.shape.elementCount();
    if (k.data != q.data + count || v.data != k.data + count)
        throw ShapeError("bindWeights: q, k and v are not neighbours in the parameter layout");
    Shape shape{3 * q.shape[0]};
    if (q.shape.rank() == 2)
        shape.append(q.shape[1]);
    return View(q.data, shape);
}

template<class Value, class Set>
class Binder
{
public:
    explicit Binder(Set& parameters) : m_parameters(parameters) {}

    DecoderWeights<Value> decoder(const ModelConfig& config)
    {
        DecoderWeights<Value> weights;
        weights.tokens = at("tok_emb.weight");
        if (config.positions == Positions::Learned)
            weights.positions = at("pos_emb.weight");
        for (std::int64_t layer = 0; layer < config.layers; ++layer)
            weights.blocks.push_back(block(fmt::format("h.{}.", layer), config.dFf > 0));
        weights.finalGamma = at("ln_f.weight");
        weights.finalBeta = at("ln_f.bias");
        weights.head = config.tieEmbeddings ? weights.tokens : at("head.weight");
        return weights;
    }

private:
    BlockWeights<Value> block(const std::string& name, bool hasFeedForward)
    {
        BlockWeights<Value> weights;
        weights.norm1Gamma = at(name + "ln1.weight");
        weights.norm1Beta = at(name + "ln1.bias");
        weights.qkvWeight = fused(name, ".weight");
        weights.qkvBias = fused(name, ".bias");
        weights.outputWeight = at(name + "attn.o.weight");
        weights.outputBias = at(name + "attn.o.bias");
        if (!hasFeedForward)
            return weights;
        weights.norm2Gamma = at(name + "ln2.weight");
        weights.norm2Beta = at(name + "ln2.bias");
        weights.expandWeight = at(name + "fc1.weight");
        weights.expandBias = at(name + "fc1.bias");
        weights.contractWeight = at(name + "fc2.weight");
        weights.contractBias = at(name + "fc2.bias");
        return weights;
    }

    BasicTensorView<Value> at(const std::string& name) { return m_parameters.view(name); }

    BasicTensorView<Value> fused(const std::string& block, const std::string& kind)
    {
        return fuse(at(block + "attn.q" + kind), at(block + "attn.k" + kind),
                    at(block + "attn.v" + kind));
    }

    Set& m_parameters;
};

} // namespace

DecoderWeights<const float> bindWeights(const ModelConfig& config, const ParameterSet& parameters)
{
    return Binder<const float, const ParameterSet>(parameters).decoder(config);
}

DecoderWeights<float> bindWeights(const ModelConfig& config, ParameterSet& parameters)
{
    return Binder<float, ParameterSet>(parameters).decoder(config);
}

} // namespace headscope
