#include "core/attention/cpu_attention.h"

#include "core/attention/attention_geometry.h"
#include "core/attention/attention_kernels.h"
#include "core/attention/cpu_layer.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>

namespace headscope {

namespace {

using std::int64_t;

/// Amount of work below which a fork costs more than it saves.
constexpr double kForkFlops = 3e6;
/// Operations in the time that a single query takes to read a value of a key or value head, with
/// which it does little.
constexpr double kFlopsPerRead = 16.0;
/// Number of query rows that justifies packing the keys again.
constexpr int64_t kRowsPerUnit = 256;
/// Number of key heads from which on all threads are busy.
constexpr int64_t kManyHeads = 8;
/// Smallest number of keys that a single query reads in place. Fewer are packed, so that a short
/// text gives the same bits whether its last token is computed alone or not.
constexpr int64_t kKeysInPlace = 128;

/// Number of ranges of query rows that one key head's work is split into; does not depend on the
/// number of threads.
int64_t chunksFor(const AttentionGeometry& geometry)
{
    if (geometry.batch * geometry.keyHeads >= kManyHeads)
        return 1;
    return std::max<int64_t>(1, geometry.queryTokens / kRowsPerUnit);
}

double forwardWork(const AttentionInputs& inputs)
{
    const AttentionGeometry geometry(inputs);
    const auto read =
        static_cast<double>(inputs.keys.shape.elementCount() + inputs.values.shape.elementCount());
    return attentionFlops(inputs, false) + (geometry.queryTokens == 1 ? kFlopsPerRead * read : 0.0);
}

/// One key head for a range of query rows: the unit of work of a thread.
class ForwardPass
{
public:
    ForwardPass(const CpuLayer& layer, const AttentionOutputs& outputs)
        : m_layer(layer)
        , m_outputs(outputs)
    {
        const AttentionGeometry& geometry = layer.geometry();
        m_heads = geometry.batch * geometry.keyHeads;
        m_chunks = chunksFor(geometry);
        m_rowsAreHeads =
            layer.canTakeHeadsAsRows() && (!outputs.logSumExp || outputs.logSumExp.stride(1) == 1);
        m_inPlace = geometry.queryTokens == 1 && geometry.keyTokens >= kKeysInPlace &&
                    (m_rowsAreHeads || geometry.headsPerKey() <= 2);
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
        WorkspacePieces pieces(workspace);
        float* panels = pieces.take(m_inPlace ? 0 : m_layer.panelFloats(geometry.headDim));
        float* values = pieces.take(m_layer.rowFloats(geometry.valueDim));
        float* scratch =
            pieces.take(m_layer.kernels().forwardScratch(geometry.headDim, geometry.valueDim));
        return {panels, values, scratch, pieces.size()};
    }

    HeadForward headForward(const KeyHead& head, int64_t queryHead, const Memory& memory) const;

    const CpuLayer& m_layer;
    const AttentionOutputs& m_outputs;
    int64_t m_heads;
    int64_t m_chunks;
    bool m_rowsAreHeads; ///< True when one job computes all query heads of a key head.
    bool m_inPlace;      ///< True when keys are not packed.
};

HeadForward ForwardPass::headForward(const KeyHead& head, int64_t queryHead,
                                     const Memory& memory) const
{
    HeadForward job{};
    const float* const panels = m_inPlace ? nullptr : memory.panels;
    job.operands = m_rowsAreHeads ? m_layer.operandsOfHeads(head.batch, queryHead, panels)
                                  : m_layer.operands(head.batch, queryHead, panels);
    const int rowAxis = m_rowsAreHeads ? 1 : 2;
    job.context = &m_outputs.context(head.batch, queryHead, 0, 0);
    job.contextStride = m_outputs.context.stride(rowAxis);
    if (m_outputs.pattern) {
        job.pattern = &m_outputs.pattern(head.batch, queryHead, 0, 0);
        job.patternStride = m_outputs.pattern.stride(rowAxis);
    }
    if (m_outputs.scores) {
        job.scores = &m_outputs.scores(head.batch, queryHead, 0, 0);
        job.scoresStride = m_outputs.scores.stride(rowAxis);
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
    const KeyHead head{index / geometry.keyHeads, index % geometry.keyHeads};
    if (!m_inPlace)
        m_layer.packPanels(m_layer.keys(head), memory.panels);
    const TensorView tokens = m_layer.values(head);
    const PackedRows values = m_inPlace ? m_layer.rowsInPlace(tokens, memory.values)
                                        : m_layer.packedRows(tokens, memory.values);
    const int64_t firstHead = head.keyHead * geometry.headsPerKey();
    const int64_t jobs = m_rowsAreHeads ? 1 : geometry.headsPerKey();
    const int64_t rows = m_rowsAreHeads ? geometry.headsPerKey() : geometry.queryTokens;
    for (int64_t i = 0; i < jobs; ++i) {
        HeadForward job = headForward(head, firstHead + i, memory);
        job.valueRows = values.data;
        job.valueStride = values.stride;
        job.queryBegin = rows * chunk / m_chunks;
        job.queryEnd = rows * (chunk + 1) / m_chunks;
        m_layer.kernels().forward(job, memory.scratch);
    }
}

/// A unit is one key head with a range of its queries; with a bias gradient, which sums over the
/// batch, it is that key head in the whole batch.
class BackwardPass
{
public:
    /// Takes `sums`, of sumFloats(), which belongs to the call.
    BackwardPass(const CpuLayer& layer, const AttentionSaved& saved,
                 const AttentionGradients& gradients, float* sums)
        : m_layer(layer)
        , m_saved(saved)
        , m_gradients(gradients)
        , m_sums(sums)
        , m_chunks(chunksFor(layer.geometry()))
    {
    }

    /// Size in floats. With few heads, each chunk of their queries has its own sums of the gradients
    /// of keys and values.
    static int64_t sumFloats(const CpuLayer& layer)
    {
        const AttentionGeometry& geometry = layer.geometry();
        const int64_t chunks = chunksFor(geometry);
        return chunks == 1 ? 0 : geometry.batch * geometry.keyHeads * chunks * headSums(layer);
    }

    int64_t units() const
    {
        const AttentionGeometry& geometry = m_layer.geometry();
        const int64_t heads = m_gradients.bias ? 1 : geometry.batch;
        return heads * geometry.keyHeads * m_chunks;
    }

    int64_t workspace() const { return carve(nullptr).size; }

    void compute(int64_t unit, float* workspace) const
    {
        const AttentionGeometry& geometry = m_layer.geometry();
        const Memory memory = carve(workspace);
        const int64_t index = unit / m_chunks;
        const int64_t chunk = unit % m_chunks;
        if (!m_gradients.bias) {
            computeHead({index / geometry.keyHeads, index % geometry.keyHeads}, chunk, memory);
            return;
        }
        for (int64_t i = 0; i < geometry.headsPerKey(); ++i)
            clearBias(index * geometry.headsPerKey() + i, chunk);
        for (int64_t batch = 0; batch < geometry.batch; ++batch)
            computeHead({batch, index}, chunk, memory);
    }

    /// Call after all units: adds the chunks' sums in their order.
    void addChunks() const
    {
        const AttentionGeometry& geometry = m_layer.geometry();
        const int64_t size = headSums(m_layer);
        for (int64_t index = 0; m_chunks > 1 && index < geometry.batch * geometry.keyHeads;
             ++index) {
            float* sums = m_sums + index * m_chunks * size;
            for (int64_t chunk = 1; chunk < m_chunks; ++chunk)
                for (int64_t i = 0; i < size; ++i)
                    sums[i] += sums[chunk * size + i];
            writeSums({index / geometry.keyHeads, index % geometry.keyHeads}, sums,
                      sums + m_layer.rowFloats(geometry.headDim));
        }
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

    static int64_t headSums(const CpuLayer& layer)
    {
        const AttentionGeometry& geometry = layer.geometry();
        return layer.rowFloats(geometry.headDim) + layer.rowFloats(geometry.valueDim);
    }

    Memory carve(float* workspace) const
    {
        const AttentionGeometry& geometry = m_layer.geometry();
        WorkspacePieces pieces(workspace);
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

    int64_t queryBegin(int64_t chunk) const
    {
        return m_layer.geometry().queryTokens * chunk / m_chunks;
    }

    void clearBias(int64_t queryHead, int64_t chunk) const
    {
        const TensorView rows = m_gradients.bias[queryHead];
        for (int64_t query = queryBegin(chunk); query < queryBegin(chunk + 1); ++query)
            std::fill_n(m_gradients.bias.data + queryHead * m_gradients.bias.stride(0) +
                            query * rows.stride(0),
                        rows.shape[1], 0.0F);
    }

    void computeHead(const KeyHead& head, int64_t chunk, Memory memory) const;
    void writeSums(const KeyHead& head, const float* keySums, const float* valueSums) const;
    HeadBackward headBackward(const KeyHead& head, int64_t queryHead, const Memory& memory) const;

    const CpuLayer& m_layer;
    const AttentionSaved& m_saved;
    const AttentionGradients& m_gradients;
    float* m_sums;
    int64_t m_chunks;
};

HeadBackward BackwardPass::headBackward(const KeyHead& head, int64_t queryHead,
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
    return job;
}

void BackwardPass::computeHead(const KeyHead& head, int64_t chunk, Memory memory) const
{
    const AttentionGeometry& geometry = m_layer.geometry();
    const AttentionKernels& kernels = m_layer.kernels();
    m_layer.packPanels(m_layer.keys(head), memory.keyPanels);
    m_layer.packPanels(m_layer.values(head), memory.valuePanels);
    const PackedRows keys = m_layer.packedRows(m_layer.keys(head), memory.keys);
    if (m_chunks > 1) {
        const int64_t index = head.batch * geometry.keyHeads + head.keyHead;
        memory.keySums = m_sums + (index * m_chunks + chunk) * headSums(m_layer);
        memory.valueSums = memory.keySums + m_layer.rowFloats(geometry.headDim);
    }
    std::fill_n(memory.keySums, m_layer.rowFloats(geometry.headDim), 0.0F);
    std::fill_n(memory.valueSums, m_layer.rowFloats(geometry.valueDim), 0.0F);
    for (int64_t i = 0; i < geometry.headsPerKey(); ++i) {
        HeadBackward job = headBackward(head, head.keyHead * geometry.headsPerKey() + i, memory);
        job.paddedKeys = keys.data;
        job.paddedKeyStride = keys.stride;
        job.queryBegin = queryBegin(chunk);
        job.queryEnd = queryBegin(chunk + 1);
        kernels.backward(job, memory.scratch);
    }
    if (m_chunks == 1)
        writeSums(head, memory.keySums, memory.valueSums);
}

void BackwardPass::writeSums(const KeyHead& head, const float* keySums,
                             const float* valueSums) const
{
    const AttentionGeometry& geometry = m_layer.geometry();
    const AttentionKernels& kernels = m_layer.kernels();
    const int64_t queryHead = head.keyHead * geometry.headsPerKey();
    const float factor = kernels.keySumsFactor(m_layer.operands(head.batch, queryHead, nullptr));
    const MutableTensorView keyGradient = m_gradients.keys[head.batch][head.keyHead];
    const MutableTensorView valueGradient = m_gradients.values[head.batch][head.keyHead];
    kernels.unpackRows(keySums, factor, geometry.keyTokens, geometry.headDim, keyGradient.data,
                       keyGradient.stride(0));
    kernels.unpackRows(valueSums, 1.0F, geometry.keyTokens, geometry.valueDim, valueGradient.data,
                       valueGradient.stride(0));
}

/// Runs all units; each free thread takes the next one.
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
        if (std::ssize(workspace) < size)
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

std::size_t CpuAttention::workspaceBytes() const
{
    std::size_t floats = 0;
    for (const Tensor& workspace : m_workspaces)
        floats = std::max(floats, workspace.size());
    return floats * sizeof(float);
}

void CpuAttention::computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs)
{
    const CpuLayer layer(inputs, *m_kernels);
    runUnits(ForwardPass(layer, outputs), forwardWork(inputs), m_workspaces);
}

void CpuAttention::computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                   const AttentionGradients& gradients)
{
    const CpuLayer layer(inputs, *m_kernels);
    const int64_t sums = BackwardPass::sumFloats(layer);
    if (std::ssize(m_sums) < sums)
        m_sums = Tensor({sums});
    const BackwardPass pass(layer, saved, gradients, m_sums.data());
    runUnits(pass, attentionFlops(inputs, true), m_workspaces);
    pass.addChunks();
}

} // namespace headscope
