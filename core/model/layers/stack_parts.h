#pragma once

#include "core/model/config/model_config.h"
#include "core/model/layers/block_layers.h"
#include "core/model/weights/parameters.h"

#include <map>
#include <string>

namespace headscope {

/// Numbers that both stacks of a model draw from.
struct BuildCounters
{
    std::vector<LinearRef> linears;
    std::uint64_t dropoutSites = 0;
    int expertLayers = 0;
};

/// What the layers of one stack are put together from: its parameters by name, its values, and the
/// program that grows layer by layer.
class StackParts
{
public:
    StackParts(const ModelConfig& modelConfig, Stack ofStack, BuildCounters& ofModel);

    bool has(const std::string& name) const { return m_specs.contains(name); }

    /// Empty where the model has no such parameter.
    ParameterRef parameter(const std::string& name) const;
    LinearRef linear(const std::string& name);
    LinearRef linear(ParameterRef weight, ParameterRef bias);
    /// Several matrices that lie one after the other, seen as one of `out` rows.
    LinearRef fused(const std::string& first, std::int64_t out);
    NormRef normRef(const std::string& name) const;

    /// Encoder-decoders have tables of both stacks under the stack's name.
    std::string withStack(const std::string& name) const;

    ValueRef query(std::int64_t width) { return builder.value(Rows::Query, width); }

    ValueRef norm(const std::string& name, ValueRef in, std::optional<TraceKey> site = {});
    ValueRef norm(NormRef norm, ValueRef in, std::optional<TraceKey> site = {});

    const ModelConfig& config;
    const Stack stack;
    BuildCounters& counters;
    ProgramBuilder builder;

private:
    std::map<std::string, ParameterSpec> m_specs;
};

/// Where one block stands.
struct Sublayer
{
    std::string prefix; ///< "h.3"
    Place place;
};

} // namespace headscope
