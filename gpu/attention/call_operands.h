#pragma once

#include "core/attention/attention_geometry.h"
#include "gpu/attention/attention_call.h"
#include "gpu/attention/kernel_table.h"
#include "gpu/cl/status.h"

#include <algorithm>
#include <optional>
#include <string>

namespace headscope::gpu {

inline std::size_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

/// Views [batch, heads, tokens] as rows of one float.
template<class View>
View withRowAxis(const View& rows)
{
    View view;
    view.data = rows.data;
    view.shape = {rows.shape[0], rows.shape[1], rows.shape[2], 1};
    view.strides = {rows.stride(0), rows.stride(1), rows.stride(2), 1};
    return view;
}

/// Views [heads, queries, keys] for every batch entry at once.
template<class View>
View withBatchAxis(const View& cells)
{
    View view;
    view.data = cells.data;
    view.shape = {1, cells.shape[0], cells.shape[1], cells.shape[2]};
    view.strides = {0, cells.stride(0), cells.stride(1), cells.stride(2), 1};
    return view;
}

/// Operands and parameters of one call, and functions to launch its kernels.
class Call
{
public:
    Call(const CallResources& resources, const AttentionInputs& inputs);

    void upload();

    void finish() { m_memory.download(); }

    template<class... Arguments>
    void launch(KernelJob job, Sizes groups, const Arguments&... arguments)
    {
        const ProgramSpec& spec = m_resources.spec;
        const KernelRow& row =
            kernelRow(spec.family, job, std::max(spec.headSpace, spec.valueSpace));
        const cl_kernel kernel = m_resources.kernel(row.name);
        setArguments(kernel, arguments...);
        const Sizes local = groupSizes(row.shape, spec.tuning);
        const Sizes global{groups[0] * local[0], groups[1] * local[1], groups[2] * local[2]};
        const cl_uint axes = groups[2] * local[2] > 1 || local[1] > 1 ? 3 : 2;
        check(clEnqueueNDRangeKernel(m_resources.queue, kernel, axes, nullptr, global.data(),
                                     local.data(), 0, nullptr, nullptr),
              std::string("clEnqueueNDRangeKernel of ") + row.name);
    }

    cl_mem scratch(const char* name, std::size_t floats)
    {
        return m_resources.scratch->get(m_resources.context, name, floats * sizeof(float));
    }

    OperandMemory& memory() { return m_memory; }

    const AttentionGeometry& geometry() const { return m_geometry; }

    const Tuning& tuning() const { return m_resources.spec.tuning; }

    const CallResources& resources() const { return m_resources; }

    std::size_t panels() const { return ceilDivide(m_geometry.keyTokens, tuning().panel()); }

    std::size_t queryBlocks() const { return ceilDivide(m_geometry.queryTokens, tuning().rows); }

    std::size_t tilesOf(std::int64_t tokens) const { return ceilDivide(tokens, tuning().tile); }

    std::size_t queryHeads() const { return m_geometry.batch * m_geometry.queryHeads; }

    std::size_t keyHeads() const { return m_geometry.batch * m_geometry.keyHeads; }

    /// Dense [heads, tokens, width] in scratch memory.
    Placed denseScratch(const char* name, std::int64_t heads, std::int64_t tokens,
                        std::int64_t width);
    void copyRows(const Placed& from, const Placed& to, std::int64_t heads, std::int64_t tokens,
                  std::int64_t dim, std::int64_t padded);

    KernelParameters parameters;
    Placed queries, keys, values;
    cl_mem bias = nullptr, slopes = nullptr, allowed = nullptr, keep = nullptr;

private:
    void addOptional(const AttentionInputs& inputs);

    const CallResources& m_resources;
    AttentionGeometry m_geometry;
    OperandMemory m_memory;
    OperandMemory::Id m_queries, m_keys, m_values;
    std::optional<OperandMemory::Id> m_bias, m_slopes, m_allowed, m_keep;
};

struct BackwardBuffers
{
    Placed context, statistic, contextGradient;
    Placed queries, keys, values; ///< Gradients.
    std::optional<Placed> bias;
};

} // namespace headscope::gpu
