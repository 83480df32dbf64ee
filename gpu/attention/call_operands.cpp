#include "gpu/attention/call_operands.h"

namespace headscope::gpu {

Call::Call(const CallResources& resources, const AttentionInputs& inputs)
    : m_resources(resources)
    , m_geometry(inputs)
    , m_memory(resources.context, resources.queue, resources.memory, *resources.scratch)
    , m_queries(m_memory.read("queries", inputs.queries))
    , m_keys(m_memory.read("keys", inputs.keys))
    , m_values(m_memory.read("values", inputs.values))
{
    KernelParameters& p = parameters;
    p.batch = static_cast<cl_int>(m_geometry.batch);
    p.queryHeads = static_cast<cl_int>(m_geometry.queryHeads);
    p.keyHeads = static_cast<cl_int>(m_geometry.keyHeads);
    p.queryTokens = static_cast<cl_int>(m_geometry.queryTokens);
    p.keyTokens = static_cast<cl_int>(m_geometry.keyTokens);
    p.headDim = static_cast<cl_int>(m_geometry.headDim);
    p.valueDim = static_cast<cl_int>(m_geometry.valueDim);
    p.causal = inputs.mask.causal ? 1 : 0;
    const std::int64_t widest = m_geometry.keyTokens + m_geometry.queryTokens;
    p.window = static_cast<cl_int>(inputs.mask.window > widest ? 0 : inputs.mask.window);
    p.scale = inputs.scale;
    p.softCap = inputs.softCap;
    p.keepScale = 1.0F / (1.0F - inputs.dropout);
    if (inputs.softCap > 0.0F)
        p.features |= kSoftCap;
    addOptional(inputs);
}

void Call::addOptional(const AttentionInputs& inputs)
{
    KernelParameters& p = parameters;
    const std::size_t cells = m_geometry.queryTokens * m_geometry.keyTokens;
    if (inputs.bias) {
        p.features |= kBias;
        m_bias = m_memory.read("bias", withBatchAxis(inputs.bias));
    }
    if (inputs.alibiSlopes) {
        p.features |= kAlibi;
        m_slopes = m_memory.read(
            "slopes", TensorView(inputs.alibiSlopes.data, {1, 1, 1, m_geometry.queryHeads}));
    }
    if (const AttentionMask& mask = inputs.mask; mask.allowed) {
        p.features |= kAllowed;
        const std::int64_t last = (m_geometry.batch - 1) * mask.allowedBatchStride +
                                  (m_geometry.queryTokens - 1) * mask.allowedQueryStride;
        p.allowed.batch = mask.allowedBatchStride;
        p.allowed.token = mask.allowedQueryStride;
        m_allowed = m_memory.readBytes("allowed", mask.allowed,
                                       static_cast<std::size_t>(last + m_geometry.keyTokens));
    }
    if (inputs.keep) {
        p.features |= kKeep;
        m_keep = m_memory.readBytes("keep", inputs.keep, queryHeads() * cells);
    }
}

void Call::upload()
{
    m_memory.upload();
    queries = m_memory.placed(m_queries);
    keys = m_memory.placed(m_keys);
    values = m_memory.placed(m_values);
    parameters.query = queries.view;
    parameters.key = keys.view;
    parameters.value = values.view;
    const auto bufferOf = [this](const std::optional<OperandMemory::Id>& operand) {
        return operand ? m_memory.placed(*operand).buffer : queries.buffer;
    };
    bias = bufferOf(m_bias);
    slopes = bufferOf(m_slopes);
    allowed = bufferOf(m_allowed);
    keep = bufferOf(m_keep);
    if (m_bias)
        parameters.bias = m_memory.placed(*m_bias).view;
    if (m_slopes)
        parameters.slopesOffset = m_memory.placed(*m_slopes).view.offset;
    if (m_allowed)
        parameters.allowed.offset = m_memory.placed(*m_allowed).view.offset;
    if (m_keep)
        parameters.keepOffset = m_memory.placed(*m_keep).view.offset;
}

Placed Call::denseScratch(const char* name, std::int64_t heads, std::int64_t tokens,
                          std::int64_t width)
{
    const std::int64_t count = m_geometry.batch * heads * tokens * width;
    return {scratch(name, static_cast<std::size_t>(count)),
            {0, heads * tokens * width, tokens * width, width}};
}

void Call::copyRows(const Placed& from, const Placed& to, std::int64_t heads, std::int64_t tokens,
                    std::int64_t dim, std::int64_t padded)
{
    launch(
        KernelJob::CopyRows,
        {static_cast<std::size_t>(tokens), static_cast<std::size_t>(m_geometry.batch * heads), 1},
        from.view, to.view, static_cast<cl_int>(heads), static_cast<cl_int>(tokens),
        static_cast<cl_int>(dim), static_cast<cl_int>(padded), from.buffer, to.buffer);
}

} // namespace headscope::gpu
