#include "core/attention/cpu_attention.h"

#include "core/attention/attention_geometry.h"
#include "core/attention/attention_kernels.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>

namespace headscope {

namespace {

using std::int64_t;

/// Below this much work a fork costs more than it saves.
constexpr double kForkFlops = 3e6;
/// Rows of queries that are worth packing the keys again for.
constexpr int64_t kRowsPerUnit = 256;

int64_t roundedUp(int64_t count, int64_t step)
{
    return (count + step - 1) / step * step;
}

/// Hands out aligned pieces of a workspace.
class Pieces
{
public:
    explicit Pieces(float* next = nullptr) : m_begin(next), m_next(next) {}

    float* take(int64_t floats)
    {
        float* piece = m_next;
        m_size += roundedUp(floats, 16);
        if (m_begin != nullptr)
            m_next = m_begin + m_size;
        return piece;
    }

    int64_t size() const { return m_size; }

private:
    float* m_begin;
    float* m_next;
    int64_t m_size = 0;
};

/// Rows of one head as the kernels want them: in place where they are padded already.
struct Rows
{
    const float* data = nullptr;
    int64_t stride = 0;
};

Rows packedRows(const AttentionKernels& kernels, const TensorView& tokens, float* packed)
{
    const int64_t count = tokens.shape[0];
    const int64_t dim = tokens.shape[1];
    // A distance of whole pages would put all rows into the same few cache sets.
    if (dim % kernels.lanes == 0 && tokens.stride(0) == dim)
        return {tokens.data, dim};
    kernels.packRows(tokens.data, tokens.stride(0), count, dim, packed);
    return {packed, roundedUp(dim, kernels.lanes)};
}

/// Everything the query heads of one key head share.
struct Head
{
    int64_t batch = 0;
    int64_t keyHead = 0;
};

/// Operands of one call in the form the kernels take.
class Layer
{
public:
    Layer(const AttentionInputs& inputs, const AttentionKernels& kernels)
        : m_inputs(inputs)
        , m_geometry(inputs)
        , m_kernels(kernels)
    {
    }

    const AttentionGeometry& geometry() const { return m_geometry; }

    const AttentionKernels& kernels() const { return m_kernels; }

    int64_t panelFloats(int64_t dim) const
    {
        return roundedUp(m_geometry.keyTokens, m_kernels.panelKeys) * dim;
    }

    int64_t rowFloats(int64_t dim) const
    {
        return m_geometry.keyTokens * roundedUp(dim, m_kernels.lanes);
    }

    TensorView keys(const Head& head) const { return m_inputs.keys[head.batch][head.keyHead]; }

    TensorView values(const Head& head) const { return m_inputs.values[head.batch][head.keyHead]; }

    void packPanels(const TensorView& tokens, float* panels) const
    {
        m_kernels.packPanels(tokens.data, tokens.stride(0), tokens.shape[0], tokens.shape[1],
                             panels);
    }

    HeadOperands operands(int64_t batch, int64_t queryHead, const float* keyPanels) const;

private:
    const AttentionInputs& m_inputs;
    AttentionGeometry m_geometry;
    const AttentionKernels& m_kernels;
};

HeadOperands Layer::operands(int64_t batch, int64_t queryHead, const float* keyPanels) const
{
    HeadOperands head{};
    head.queryTokens = m_geometry.queryTokens;
    head.keyTokens = m_geometry.keyTokens;
    head.headDim = m_geometry.headDim;
    head.valueDim = m_geometry.valueDim;
    head.queries = &m_inputs.queries(batch, queryHead, 0, 0);
    head.queryStride = m_inputs.queries.stride(2);
    head.keyPanels = keyPanels;
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
        const int64_t matrix = m_geometry.queryTokens * m_geometry.keyTokens;
        head.keep = m_inputs.keep + (batch * m_geometry.queryHeads + queryHead) * matrix;
    }
    head.keepScale = 1.0F / (1.0F - m_inputs.dropout);
    return head;
}

/// One key head for a run of query rows: what a thread takes at a time.
class ForwardPass
{
public:
    ForwardPass(const Layer& layer, const AttentionOutputs& outputs)
        : m_layer(layer)
        , m_outputs(outputs)
    {
        const AttentionGeometry& geometry = layer.geometry();
        m_heads = geometry.batch * geometry.keyHeads;
        m_chunks = 1;
        if (m_heads < 8)
            m_chunks = std::max<int64_t>(1, geometry.queryTokens / kRowsPerUnit);
    }

    int64_t units() const { return m_heads * m_chunks; }

    int64_t workspace() const { return carve(nullptr).size; }

    void compute(int64_t unit, float* workspace) const;

private:
    struct Memory
    {
        float* panels;
        float* values;
        float* scratch;
        int64_t size;
    };

    Memory carve(float* workspace) const
    {
        const AttentionGeometry& geometry = m_layer.geometry();
        Pieces pieces(workspace);
        float* panels = pieces.take(m_layer.panelFloats(geometry.headDim));
        float* values = pieces.take(m_layer.rowFloats(geometry.valueDim));
        float* scratch =
            pieces.take(m_layer.kernels().forwardScratch(geometry.headDim, geometry.valueDim));
        return {panels, values, scratch, pieces.size()};
    }

    HeadForward headForward(const Head& head, int64_t queryHead, const Memory& memory) const;

    const Layer& m_layer;
    const AttentionOutputs& m_outputs;
    int64_t m_heads;
    int64_t m_chunks;
};

HeadForward ForwardPass::headForward(const Head& head, int64_t queryHead,
                                     const Memory& memory) const
{
    HeadForward job{};
    job.operands = m_layer.operands(head.batch, queryHead, memory.panels);
    job.context = &m_outputs.context(head.batch, queryHead, 0, 0);
    job.contextStride = m_outputs.context.stride(2);
    if (m_outputs.pattern) {
        job.pattern = &m_outputs.pattern(head.batch, queryHead, 0, 0);
        job.patternStride = m_outputs.pattern.stride(2);
    }
    if (m_outputs.scores) {
        job.scores = &m_outputs.scores(head.batch, queryHead, 0, 0);
        job.scoresStride = m_outputs.scores.stride(2);
    }
    if (m_outputs.logSumExp)
        job.logSumExp = &m_outputs.logSumExp(head.batch, queryHead, 0);
    return job;
}

void ForwardPass::compute(int64_t unit, float* workspace) const
{
    const AttentionGeometry& geometry = m_layer.geometry();
    const Memory memory = carve(workspace);
    const int64_t index = unit / m_chunks;
    const int64_t chunk = unit % m_chunks;
    const Head head{index / geometry.keyHeads, index % geometry.keyHeads};
    m_layer.packPanels(m_layer.keys(head), memory.panels);
    const Rows values = packedRows(m_layer.kernels(), m_layer.values(head), memory.values);
    for (int64_t i = 0; i < geometry.headsPerKey(); ++i) {
        HeadForward job = headForward(head, head.keyHead * geometry.headsPerKey() + i, memory);
        job.valueRows = values.data;
        job.valueStride = values.stride;
        job.queryBegin = geometry.queryTokens * chunk / m_chunks;
        job.queryEnd = geometry.queryTokens * (chunk + 1) / m_chunks;
        m_layer.kernels().forward(job, memory.scratch);
    }
}

/// A unit is one key head with all its queries; with a bias gradient, which sums over the batch, it
/// is that key head in the whole batch.
class BackwardPass
{
public:
    BackwardPass(const Layer& layer, const AttentionSaved& saved,
                 const AttentionGradients& gradients)
        : m_layer(layer)
        , m_saved(saved)
        , m_gradients(gradients)
    {
    }

    int64_t units() const
    {
        const AttentionGeometry& geometry = m_layer.geometry();
        return m_gradients.bias ? geometry.keyHeads : geometry.batch * geometry.keyHeads;
    }

    int64_t workspace() const { return carve(nullptr).size; }

    void compute(int64_t unit, float* workspace) const
    {
        const AttentionGeometry& geometry = m_layer.geometry();
        const Memory memory = carve(workspace);
        if (!m_gradients.bias) {
            computeHead({unit / geometry.keyHeads, unit % geometry.keyHeads}, memory);
            return;
        }
        for (int64_t i = 0; i < geometry.headsPerKey(); ++i)
            clearBias(unit * geometry.headsPerKey() + i);
        for (int64_t batch = 0; batch < geometry.batch; ++batch)
            computeHead({batch, unit}, memory);
    }

private:
    struct Memory
    {
        float* keyPanels;
        float* valuePanels;
        float* keys;
        float* keySums;
        float* valueSums;
        float* scratch;
        int64_t size;
    };

    Memory carve(float* workspace) const
    {
        const AttentionGeometry& geometry = m_layer.geometry();
        Pieces pieces(workspace);
        Memory memory{};
        memory.keyPanels = pieces.take(m_layer.panelFloats(geometry.headDim));
        memory.valuePanels = pieces.take(m_layer.panelFloats(geometry.valueDim));
        memory.keys = pieces.take(m_layer.rowFloats(geometry.headDim));
        memory.keySums = pieces.take(m_layer.rowFloats(geometry.headDim));
        memory.valueSums = pieces.take(m_layer.rowFloats(geometry.valueDim));
        memory.scratch =
            pieces.take(m_layer.kernels().backwardScratch(geometry.headDim, geometry.valueDim));
        memory.size = pieces.size();
        return memory;
    }

    void clearBias(int64_t queryHead) const
    {
        const TensorView rows = m_gradients.bias[queryHead];
        for (int64_t query = 0; query < rows.shape[0]; ++query)
            std::fill_n(m_gradients.bias.data + queryHead * m_gradients.bias.stride(0) +
                            query * rows.stride(0),
                        rows.shape[1], 0.0F);
    }

    void computeHead(const Head& head, const Memory& memory) const;
    HeadBackward headBackward(const Head& head, int64_t queryHead, const Memory& memory) const;

    const Layer& m_layer;
    const AttentionSaved& m_saved;
    const AttentionGradients& m_gradients;
};

HeadBackward BackwardPass::headBackward(const Head& head, int64_t queryHead,
                                        const Memory& memory) const
{
    HeadBackward job{};
    job.operands = m_layer.operands(head.batch, queryHead, memory.keyPanels);
    job.valuePanels = memory.valuePanels;
    job.context = &m_saved.context(head.batch, queryHead, 0, 0);
    job.contextStride = m_saved.context.stride(2);
    job.contextGradient = &m_saved.contextGradient(head.batch, queryHead, 0, 0);
    job.contextGradientStride = m_saved.contextGradient.stride(2);
    job.logSumExp = &m_saved.logSumExp(head.batch, queryHead, 0);
    job.queryGradient = &m_gradients.queries(head.batch, queryHead, 0, 0);
    job.queryGradientStride = m_gradients.queries.stride(2);
    job.keySums = memory.keySums;
    job.valueSums = memory.valueSums;
    if (m_gradients.bias) {
        job.biasGradient = m_gradients.bias.data + queryHead * m_gradients.bias.stride(0);
        job.biasGradientStride = m_gradients.bias.stride(1);
    }
    job.queryEnd = m_layer.geometry().queryTokens;
    return job;
}

void BackwardPass::computeHead(const Head& head, const Memory& memory) const
{
    const AttentionGeometry& geometry = m_layer.geometry();
    const AttentionKernels& kernels = m_layer.kernels();
    m_layer.packPanels(m_layer.keys(head), memory.keyPanels);
    m_layer.packPanels(m_layer.values(head), memory.valuePanels);
    const Rows keys = packedRows(kernels, m_layer.keys(head), memory.keys);
    std::fill_n(memory.keySums, m_layer.rowFloats(geometry.headDim), 0.0F);
    std::fill_n(memory.valueSums, m_layer.rowFloats(geometry.valueDim), 0.0F);
    float factor = 1.0F;
    for (int64_t i = 0; i < geometry.headsPerKey(); ++i) {
        HeadBackward job = headBackward(head, head.keyHead * geometry.headsPerKey() + i, memory);
        job.keyRows = keys.data;
        job.keyStride = keys.stride;
        factor = kernels.keySumsFactor(job.operands);
        kernels.backward(job, memory.scratch);
    }
    const MutableTensorView keyGradient = m_gradients.keys[head.batch][head.keyHead];
    const MutableTensorView valueGradient = m_gradients.values[head.batch][head.keyHead];
    kernels.unpackRows(memory.keySums, factor, geometry.keyTokens, geometry.headDim,
                       keyGradient.data, keyGradient.stride(0));
    kernels.unpackRows(memory.valueSums, 1.0F, geometry.keyTokens, geometry.valueDim,
                       valueGradient.data, valueGradient.stride(0));
}

/// Runs all units; threads take them one after the other, whoever is free.
template<class Pass>
void runUnits(const Pass& pass, double flops, std::vector<Tensor>& workspaces)
{
    const int64_t units = pass.units();
    const int64_t size = pass.workspace();
    std::atomic<int64_t> next{0};
    const auto body = [&](std::size_t, std::size_t, std::size_t part) {
        int64_t unit = next.fetch_add(1);
        if (unit >= units)
            return;
        Tensor& workspace = workspaces[part];
        if (static_cast<int64_t>(workspace.size()) < size)
            workspace = Tensor({size});
        for (; unit < units; unit = next.fetch_add(1))
            pass.compute(unit, workspace.data());
    };
    const std::size_t threads =
        flops < kForkFlops
            ? 1
            : std::min<std::size_t>(workspaces.size(), static_cast<std::size_t>(units));
    parallelFor(threads, threads, body);
}

} // namespace

CpuAttention::CpuAttention() : CpuAttention(attentionKernels()) {}

CpuAttention::CpuAttention(const AttentionKernels& kernels)
    : m_kernels(&kernels)
    , m_workspaces(workerCount())
{
}

std::string CpuAttention::describe() const
{
    return std::string("CPU (") + m_kernels->name + ")";
}

void CpuAttention::computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs)
{
    const Layer layer(inputs, *m_kernels);
    runUnits(ForwardPass(layer, outputs), attentionFlops(inputs, false), m_workspaces);
}

void CpuAttention::computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                   const AttentionGradients& gradients)
{
    const Layer layer(inputs, *m_kernels);
    runUnits(BackwardPass(layer, saved, gradients), attentionFlops(inputs, true), m_workspaces);
}

} // namespace headscope
