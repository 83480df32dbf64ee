#pragma once

#include "core/model/config/model_config.h"
#include "core/model/layers/block_layers.h"
#include "core/model/weights/parameters.h"

#include <map>
#include <string>

namespace headscope {

/// Counters shared by both stacks of a model.
struct BuildCounters
{
    std::vector<LinearRef> linears;
    std::uint64_t dropoutSites = 0;
    int expertLayers = 0;
};

/// Parts that the layers of one stack are built from: its parameters by name, its values, and the
/// program that grows layer by layer.
class StackParts
{
public:
    StackParts(const ModelConfig& modelConfig, Stack ofStack, BuildCounters& ofModel);

    bool has(const std::string& name) const { return m_specs.contains(name); }

    /// Finds a parameter; empty where the model has none of this name.
    ParameterRef parameter(const std::string& name) const;
    LinearRef linear(const std::string& name);
    LinearRef linear(ParameterRef weight, ParameterRef bias);
    /// Several consecutive matrices, viewed as one of `out` rows.
    LinearRef fused(const std::string& first, std::int64_t out);
    NormRef normRef(const std::string& name) const;

    /// Name under the stack's prefix, as encoder-decoders have matrices for both stacks.
    std::string withStack(const std::string& name) const;

    ValueRef query(std::int64_t width) { return builder.value(Rows::Query, width); }

    ValueRef norm(const std::string& name, ValueRef in, std::optional<TraceKey> site = {});
    ValueRef norm(NormRef norm, ValueRef in, std::optional<TraceKey> site = {});

    const ModelConfig& config;
    const Stack stack;
    BuildCounters& counters;
    ProgramBuilder builder;

private:
    ValueRef batchNorm(const std::string& name, ValueRef in, std::optional<TraceKey> site);

    std::map<std::string, ParameterSpec> m_specs;
};

/// Prefix and layer of one block.
struct Sublayer
{
    std::string prefix; ///< Prefix such as "h.3".
    Place place;
};

} // namespace headscope
