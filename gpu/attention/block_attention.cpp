#include "gpu/attention/block_attention.h"

#include <algorithm>
#include <utility>

namespace headscope::gpu {

namespace {

cl_mem packedKeys(Call& call)
{
    const auto floats = call.keyHeads() * call.panels() *
                        static_cast<std::size_t>(call.geometry().headDim * call.tuning().panel());
    const cl_mem panels = call.scratch("keyPanels", floats);
    call.launch(KernelJob::PackKeys, {call.panels(), call.keyHeads(), 1}, call.parameters,
                call.keys.buffer, panels);
    return panels;
}

cl_mem packedValues(Call& call)
{
    const auto floats = call.keyHeads() * call.panels() *
                        static_cast<std::size_t>(call.geometry().valueDim * call.tuning().panel());
    const cl_mem panels = call.scratch("valuePanels", floats);
    call.launch(KernelJob::PackValues, {call.panels(), call.keyHeads(), 1}, call.parameters,
                call.values.buffer, panels);
    return panels;
}

/// The rows themselves, or a copy padded to the kernels' row space.
Placed fullRows(Call& call, const Placed& rows, const char* name, std::int64_t dim,
                std::int64_t space)
{
    const AttentionGeometry& g = call.geometry();
    if (dim == space)
        return rows;
    const Placed copy = call.denseScratch(name, g.keyHeads, g.keyTokens, space);
    call.copyRows(rows, copy, g.keyHeads, g.keyTokens, dim, space);
    return copy;
}

/// Number of items that share the keys of one head: enough to occupy the device, at most one per
/// panel.
std::size_t splitsFor(const Call& call)
{
    const auto wanted = 2 * static_cast<std::size_t>(call.resources().computeUnits);
    const std::size_t splits = (wanted + call.keyHeads() - 1) / call.keyHeads();
    return std::clamp<std::size_t>(splits, 1, call.panels());
}

void sumContributions(Call& call, const KernelParameters& p, cl_mem parts, const Placed& target)
{
    KernelParameters dense = p;
    dense.queryGradient = target.view;
    call.launch(KernelJob::SumContributions,
                {static_cast<std::size_t>(p.queryTokens), call.queryHeads(), 1}, dense, parts,
                target.buffer);
}

} // namespace

void forwardBlocks(Call& call, const Placed& context, const Placed& statistic)
{
    const cl_mem panels = packedKeys(call);
    const Placed values = fullRows(call, call.values, "paddedValues", call.geometry().valueDim,
                                   call.resources().spec.valueSpace);
    KernelParameters p = call.parameters;
    p.value = values.view;
    call.launch(KernelJob::Forward, {call.queryBlocks(), call.queryHeads(), 1}, p,
                call.queries.buffer, panels, values.buffer, context.buffer, statistic.buffer,
                call.bias, call.slopes, call.allowed, call.keep);
}

void mapBlocks(Call& call, const Placed& statistic, cl_mem pattern, cl_mem scores)
{
    const cl_mem panels = call.scratch("keyPanels", 0);
    call.launch(KernelJob::Maps, {call.queryBlocks(), call.queryHeads(), 1}, call.parameters,
                call.queries.buffer, panels, statistic.buffer, pattern, scores, call.bias,
                call.slopes, call.allowed, call.keep);
}

void backwardBlocks(Call& call, const BackwardBuffers& b)
{
    const AttentionGeometry& g = call.geometry();
    const auto [headSpace, valueSpace] =
        std::pair(call.resources().spec.headSpace, call.resources().spec.valueSpace);
    const cl_mem keyPanels = packedKeys(call);
    const cl_mem valuePanels = packedValues(call);
    const Placed keys = fullRows(call, call.keys, "paddedKeys", g.headDim, headSpace);
    const auto target = [&](const Placed& wanted, const char* name, std::int64_t dim,
                            std::int64_t space) {
        return dim == space ? wanted : call.denseScratch(name, g.keyHeads, g.keyTokens, space);
    };
    const Placed dk = target(b.keys, "keyGradientRows", g.headDim, headSpace);
    const Placed dv = target(b.values, "valueGradientRows", g.valueDim, valueSpace);
    const std::size_t splits = splitsFor(call);
    KernelParameters p = call.parameters;
    p.key = keys.view;
    p.keyGradient = dk.view;
    p.valueGradient = dv.view;
    p.splits = static_cast<cl_int>(splits);
    Placed dq = b.queries;
    if (splits > 1) {
        dq = call.denseScratch("queryGradientShares", g.queryHeads, g.queryTokens, g.headDim);
        dq.buffer = call.scratch("queryGradientShares",
                                 splits * call.queryHeads() *
                                     static_cast<std::size_t>(g.queryTokens * g.headDim));
    }
    p.queryGradient = dq.view;
    call.launch(KernelJob::Backward, {splits, call.keyHeads(), 1}, p, call.queries.buffer,
                keys.buffer, keyPanels, valuePanels, b.context.buffer, b.contextGradient.buffer,
                b.statistic.buffer, dq.buffer, dk.buffer, dv.buffer, call.bias, call.slopes,
                call.allowed, call.keep);
    if (splits > 1)
        sumContributions(call, p, dq.buffer, b.queries);
    if (g.headDim != headSpace)
        call.copyRows(dk, b.keys, g.keyHeads, g.keyTokens, g.headDim, g.headDim);
    if (g.valueDim != valueSpace)
        call.copyRows(dv, b.values, g.keyHeads, g.keyTokens, g.valueDim, g.valueDim);
    if (b.bias)
        call.launch(KernelJob::BiasGradient,
                    {call.queryBlocks(), static_cast<std::size_t>(g.queryHeads), 1},
                    call.parameters, call.queries.buffer, keyPanels, valuePanels, b.context.buffer,
                    b.contextGradient.buffer, b.statistic.buffer, b.bias->buffer, call.bias,
                    call.slopes, call.allowed, call.keep);
}

} // namespace headscope::gpu
