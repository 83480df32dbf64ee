#pragma once

#include "core/model/layers/attention_layer.h"
#include "core/model/layers/stack_parts.h"

namespace headscope {

/// Turns one attention sublayer into layers, from the rows of the residual stream to the context of
/// all heads: queries, keys and values, their positions, attention itself.
class AttentionBuilder
{
public:
    explicit AttentionBuilder(StackParts& parts) : m_parts(parts), m_config(parts.config) {}

    /// Self-attention over the stack's own tokens, with plain or latent keys as configured.
    ValueRef self(const Sublayer& at, ValueRef in);

    /// Cross-attention over the source tokens.
    ValueRef overMemory(const Sublayer& at, ValueRef in, ValueRef memory);

private:
    ValueRef overStack(const Sublayer& at, ValueRef in);
    ValueRef overLatent(const Sublayer& at, ValueRef in);
    HeadColumns latentQueries(const Sublayer& at, ValueRef in);
    ValueRef attention(AttentionLayer::Values values, AttentionLayer::Settings settings);
    HeadColumns normed(const std::string& name, HeadColumns heads, TraceKey site,
                       RotaryLayer::When rotation);
    void rotate(const Sublayer& at, const HeadColumns (&queriesAndKeys)[2], RotaryLayer::When when);

    StackParts& m_parts;
    const ModelConfig& m_config;
};

} // namespace headscope
