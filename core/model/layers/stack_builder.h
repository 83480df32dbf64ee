#pragma once

#include "core/model/config/model_config.h"
#include "core/model/layers/attention_layer.h"
#include "core/model/layers/feed_forward_layer.h"
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

/// Turns the blocks of one stack into layers, sublayer by sublayer.
class StackBuilder
{
public:
    StackBuilder(const ModelConfig& config, Stack stack, BuildCounters& counters);

    /// Token embeddings, positions and segments of this stack: its first residual stream.
    ValueRef embed();

    /// The source's encoding, as a decoder sees it.
    ValueRef memory() { return m_builder.memoryValue(m_config.dModel); }

    /// One whole block: norms, sublayers and residual connections as configured.
    ValueRef block(std::int64_t layer, ValueRef x, ValueRef memory = {});

    /// residual + attention(in), residual + feed-forward or experts (in): sublayers without norms.
    ValueRef attentionSublayer(std::int64_t layer, ValueRef in, ValueRef residual);
    ValueRef feedForwardSublayer(std::int64_t layer, ValueRef in, ValueRef residual);

    ValueRef finalNorm(ValueRef x);
    void heads(ValueRef hidden);      ///< language head, next-sentence head
    void keepOutput(ValueRef hidden); ///< for another program

    Program finish() { return m_builder.finish(); }

private:
    struct Sublayer ///< where one block stands
    {
        std::string prefix; ///< "h.3"
        Place place;
    };

    Sublayer at(std::int64_t layer) const;
    ParameterRef parameter(const std::string& name) const;
    LinearRef linear(const std::string& name);
    LinearRef linear(ParameterRef weight, ParameterRef bias);
    /// Several matrices that lie one after the other, seen as one of `out` rows.
    LinearRef fused(const std::string& first, std::int64_t out);
    NormRef normRef(const std::string& name) const;

    ValueRef query(std::int64_t width) { return m_builder.value(Rows::Query, width); }

    void note(ValueRef value, TraceKey key);
    ValueRef norm(const std::string& name, ValueRef in, std::optional<TraceKey> site = {});
    ValueRef norm(NormRef norm, ValueRef in, std::optional<TraceKey> site = {});
    ValueRef attend(const Sublayer& at, ValueRef in);
    ValueRef attendLatent(const Sublayer& at, ValueRef in);
    HeadColumns latentQueries(const Sublayer& at, ValueRef in);
    ValueRef attendMemory(const Sublayer& at, ValueRef in, ValueRef memory);
    ValueRef attention(AttentionLayer::Values values, AttentionLayer::Settings settings);
    ValueRef project(const LinearRef& linear, ValueRef in, ValueRef residual, TraceKey site);
    ValueRef feedForward(const Sublayer& at, ValueRef in, ValueRef residual);
    ValueRef mixExperts(const Sublayer& at, ValueRef in, ValueRef residual);
    FeedForwardRef feedForwardRef(const std::string& prefix);
    TraceKey global(Site site) const;
    float scoreScale() const;
    std::string withStack(const std::string& name) const;

    const ModelConfig& m_config;
    Stack m_stack;
    BuildCounters& m_counters;
    std::map<std::string, ParameterSpec> m_specs;
    ProgramBuilder m_builder;
};

} // namespace headscope
