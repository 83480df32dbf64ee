#include "core/model/layers/stack_parts.h"

#include "core/model/layers/batch_norm_layer.h"
#include "core/model/weights/running_statistics.h"

namespace headscope {

StackParts::StackParts(const ModelConfig& modelConfig, Stack ofStack, BuildCounters& ofModel)
    : config(modelConfig)
    , stack(ofStack)
    , counters(ofModel)
{
    for (ParameterSpec& spec : parameterLayout(config))
        m_specs.emplace(spec.name, std::move(spec));
}

ParameterRef StackParts::parameter(const std::string& name) const
{
    const auto found = m_specs.find(name);
    if (found == m_specs.end())
        return {};
    return {found->second.offset, found->second.shape, true, false};
}

LinearRef StackParts::linear(ParameterRef weight, ParameterRef bias)
{
    LinearRef ref{weight, bias, counters.linears.size()};
    counters.linears.push_back(ref);
    return ref;
}

LinearRef StackParts::linear(const std::string& name)
{
    return linear(parameter(name + ".weight"), parameter(name + ".bias"));
}

LinearRef StackParts::fused(const std::string& first, std::int64_t out)
{
    ParameterRef weight = parameter(first + ".weight");
    ParameterRef bias = parameter(first + ".bias");
    weight.shape = {out, weight.shape[1]};
    bias.shape = {out};
    return linear(weight, bias);
}

NormRef StackParts::normRef(const std::string& name) const
{
    return {config.norm, static_cast<float>(config.normEpsilon), parameter(name + ".weight"),
            parameter(name + ".bias")};
}

std::string StackParts::withStack(const std::string& name) const
{
    if (stack == Stack::Blocks)
        return name;
    return (stack == Stack::Encoder ? "enc." : "dec.") + name;
}

ValueRef StackParts::norm(NormRef norm, ValueRef in, std::optional<TraceKey> site)
{
    NormLayer::Values values;
    values.in = in;
    values.out = query(norm.gamma.shape[0]);
    values.mean = query(1);
    values.deviation = query(1);
    builder.add(std::make_unique<NormLayer>(norm, values, site),
                {{in},
                 {values.out, values.mean, values.deviation},
                 {in, values.mean, values.deviation},
                 {}});
    return values.out;
}

ValueRef StackParts::norm(const std::string& name, ValueRef in, std::optional<TraceKey> site)
{
    return config.norm == Norm::Batch ? batchNorm(name, in, site) : norm(normRef(name), in, site);
}

ValueRef StackParts::batchNorm(const std::string& name, ValueRef in, std::optional<TraceKey> site)
{
    const BatchNormRef norm{static_cast<float>(config.normEpsilon), parameter(name + ".weight"),
                            parameter(name + ".bias"), parameter(name + kRunningMean),
                            parameter(name + kRunningVariance)};
    const ValueRef out = query(config.dModel);
    builder.add(std::make_unique<BatchNormLayer>(norm, in, out, site), {{in}, {out}, {in}, {}});
    return out;
}

} // namespace headscope
