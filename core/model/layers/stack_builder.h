#pragma once

#include "core/model/layers/attention_builder.h"
#include "core/model/layers/shared_expert.h"
#include "core/model/layers/stack_parts.h"

namespace headscope {

/// Turns the blocks of one stack into layers, sublayer by sublayer.
class StackBuilder
{
public:
    StackBuilder(const ModelConfig& config, Stack stack, BuildCounters& counters)
        : m_parts(config, stack, counters)
        , m_attention(m_parts)
        , m_config(config)
    {
    }

    StackBuilder(const StackBuilder&) = delete;
    StackBuilder& operator=(const StackBuilder&) = delete;

    /// Token embeddings, positions and segments of this stack: its initial residual stream.
    ValueRef embed();

    /// Encoded source as seen by a decoder.
    ValueRef memory() { return m_parts.builder.memoryValue(m_config.dModel); }

    /// One whole block: norms, sublayers and residual connections as configured.
    ValueRef block(std::int64_t layer, ValueRef x, ValueRef memory = {});

    /// Sublayers without norms: residual + attention(in), residual + feed-forward or experts (in);
    /// without the sum where the model has no residual connections.
    ValueRef attentionSublayer(std::int64_t layer, ValueRef in, ValueRef residual);
    ValueRef feedForwardSublayer(std::int64_t layer, ValueRef in, ValueRef residual);

    ValueRef finalNorm(ValueRef x);
    void heads(ValueRef hidden);      ///< Language head and next-sentence head.
    void keepOutput(ValueRef hidden); ///< Keeps the output for another program.

    Program finish() { return m_parts.builder.finish(); }

private:
    Sublayer at(std::int64_t layer) const;
    ValueRef connected(ValueRef residual, ValueRef out);
    void note(ValueRef value, TraceKey key);
    ValueRef project(const LinearRef& linear, ValueRef in, ValueRef residual, TraceKey site);
    bool addsApart() const;
    ValueRef addApart(const std::string& norms, ValueRef output, ValueRef residual, TraceKey site);
    ValueRef feedForward(const Sublayer& at, std::int64_t width, ValueRef in, ValueRef residual);
    ValueRef widened(ValueRef embedded);
    SharedExpert sharedExpert(const Sublayer& at);
    ValueRef mixExperts(const Sublayer& at, ValueRef in, ValueRef residual);
    FeedForwardRef feedForwardRef(const std::string& prefix, std::int64_t width);
    TraceKey global(Site site) const;

    StackParts m_parts;
    AttentionBuilder m_attention;
    const ModelConfig& m_config;
};

} // namespace headscope
