#include "core/attention/cpu_layer.h"

namespace headscope {

namespace {

using std::int64_t;

int64_t roundedUp(int64_t count, int64_t step)
{
    return (count + step - 1) / step * step;
}

} // namespace

std::int64_t CpuLayer::panelFloats(std::int64_t dim) const
{
    return roundedUp(m_geometry.keyTokens, m_kernels.panelKeys) * dim;
}

std::int64_t CpuLayer::rowFloats(std::int64_t dim) const
{
    return m_geometry.keyTokens * roundedUp(dim, m_kernels.lanes);
}

void CpuLayer::packPanels(const TensorView& tokens, float* panels) const
{
    m_kernels.packPanels(tokens.data, tokens.stride(0), tokens.shape[0], tokens.shape[1], panels);
}

PackedRows CpuLayer::packedRows(const TensorView& tokens, float* memory) const
{
    const std::int64_t dim = tokens.shape[1];
    if (dim % m_kernels.lanes == 0 && tokens.stride(0) == dim)
        return {tokens.data, dim};
    m_kernels.packRows(tokens.data, tokens.stride(0), tokens.shape[0], dim, memory);
    return {memory, roundedUp(dim, m_kernels.lanes)};
}

PackedRows CpuLayer::rowsInPlace(const TensorView& tokens, float* memory) const
{
    if (tokens.shape[1] % m_kernels.lanes == 0)
        return {tokens.data, tokens.stride(0)};
    return packedRows(tokens, memory);
}

HeadOperands CpuLayer::operands(std::int64_t batch, std::int64_t queryHead,
                                const float* keyPanels) const
{
    HeadOperands head{};
    head.queryTokens = m_geometry.queryTokens;
    head.keyTokens = m_geometry.keyTokens;
    head.headDim = m_geometry.headDim;
    head.valueDim = m_geometry.valueDim;
    head.queries = &m_inputs.queries(batch, queryHead, 0, 0);
    head.queryStride = m_inputs.queries.stride(2);
    head.keyPanels = keyPanels;
    const std::int64_t keyHead = m_geometry.keyHeadOf(queryHead);
    head.keyRows = m_inputs.keys[batch][keyHead].data;
    head.keyStride = m_inputs.keys.stride(2);
    head.scale = m_inputs.scale;
    head.causal = m_inputs.mask.causal;
    head.window = m_inputs.mask.window;
    head.allowed = allowedRow(m_inputs.mask, batch, 0);
    head.allowedStride = m_inputs.mask.allowedQueryStride;
    if (m_inputs.bias) {
        head.bias = m_inputs.bias.data + queryHead * m_inputs.bias.stride(0);
        head.biasStride = m_inputs.bias.stride(1);
    }
    head.hasSlope = static_cast<bool>(m_inputs.alibiSlopes);
    head.slope = head.hasSlope ? m_inputs.alibiSlopes(queryHead) : 0.0F;
    head.softCap = m_inputs.softCap;
    if (m_inputs.keep != nullptr) {
        const std::int64_t matrix = m_geometry.queryTokens * m_geometry.keyTokens;
        head.keep = m_inputs.keep + (batch * m_geometry.queryHeads + queryHead) * matrix;
    }
    head.keepScale = 1.0F / (1.0F - m_inputs.dropout);
    return head;
}

bool CpuLayer::canTakeHeadsAsRows() const
{
    return m_geometry.queryTokens == 1 && !m_inputs.alibiSlopes;
}

HeadOperands CpuLayer::operandsOfHeads(std::int64_t batch, std::int64_t queryHead,
                                       const float* keyPanels) const
{
    HeadOperands heads = operands(batch, queryHead, keyPanels);
    heads.rowsAreHeads = true;
    heads.queryStride = m_inputs.queries.stride(1);
    heads.allowedStride = 0;
    if (m_inputs.bias)
        heads.biasStride = m_inputs.bias.stride(0);
    return heads; // rows of `keep` are as far apart as tokens: there is one per head
}

} // namespace headscope
