#include "core/model/packed_model.h"

#include "core/ops/positions.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>

namespace headscope {

namespace {

class Packer
{
public:
    explicit Packer(const ParameterSet& parameters) : m_parameters(parameters)
    {
        for (const ParameterSpec& spec : parameters.specs())
            m_specs.emplace(spec.name, &spec);
    }

    TensorView view(const std::string& name) const { return m_parameters.view(*m_specs.at(name)); }

    Tensor copy(const std::string& name) const
    {
        const TensorView source = view(name);
        Tensor tensor(source.shape);
        std::copy_n(source.data, tensor.size(), tensor.data());
        return tensor;
    }

    PackedNorm norm(const std::string& name) const
    {
        return {copy(name + ".weight"), copy(name + ".bias")};
    }

    PackedLinear linear(const std::string& name) const
    {
        return {view(name + ".weight"), view(name + ".bias")};
    }

    /// q, k and v lie one after the other (parameterLayout), so that they are one matrix.
    PackedLinear queryKeyValue(const std::string& block) const
    {
        const TensorView weight = view(block + ".attn.q.weight");
        const TensorView bias = view(block + ".attn.q.bias");
        const std::int64_t width = weight.shape[1];
        return {TensorView(weight.data, {3 * width, width}), TensorView(bias.data, {3 * width})};
    }

private:
    const ParameterSet& m_parameters;
    std::map<std::string, const ParameterSpec*> m_specs;
};

} // namespace

PackedModel::PackedModel(const ModelConfig& config, const ParameterSet& parameters)
{
    const Packer packer(parameters);
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::string name = fmt::format("h.{}", layer);
        PackedBlock block;
        block.attentionNorm = packer.norm(name + ".ln1");
        block.queryKeyValue = packer.queryKeyValue(name);
        block.attentionOut = packer.linear(name + ".attn.o");
        if (config.dFf > 0) {
            block.feedForwardNorm = packer.norm(name + ".ln2");
            block.expand = packer.linear(name + ".fc1");
            block.contract = packer.linear(name + ".fc2");
        }
        blocks.push_back(std::move(block));
    }
    finalNorm = packer.norm("ln_f");
    head = PackedLinear(packer.view(config.tieEmbeddings ? "tok_emb.weight" : "head.weight"), {});
    if (config.positions == Positions::Sinusoidal)
        sinusoids = sinusoidalPositions(config.maxLen, config.dModel, config.sinusoidalBase);
}

} // namespace headscope
