#include "gpu/attention/tiled_attention.h"

namespace headscope::gpu {

void forwardTiles(Call& call, const Placed& context, const Placed& statistic)
{
    call.launch(KernelJob::Forward,
                {1, call.tilesOf(call.geometry().queryTokens), call.queryHeads()}, call.parameters,
                call.queries.buffer, call.keys.buffer, call.values.buffer, context.buffer,
                statistic.buffer, call.bias, call.slopes, call.allowed, call.keep);
}

void mapTiles(Call& call, const Placed& statistic, cl_mem pattern, cl_mem scores)
{
    const AttentionGeometry& g = call.geometry();
    call.launch(KernelJob::Maps,
                {call.tilesOf(g.keyTokens), call.tilesOf(g.queryTokens), call.queryHeads()},
                call.parameters, call.queries.buffer, call.keys.buffer, statistic.buffer, pattern,
                scores, call.bias, call.slopes, call.allowed, call.keep);
}

void backwardTiles(Call& call, const BackwardBuffers& b)
{
    const AttentionGeometry& g = call.geometry();
    const KernelParameters& p = call.parameters;
    const cl_mem rowSums =
        call.scratch("rowSums", call.queryHeads() * static_cast<std::size_t>(g.queryTokens));
    call.launch(KernelJob::RowProducts,
                {ceilDivide(g.queryTokens, call.tuning().group), call.queryHeads(), 1}, p,
                b.context.buffer, b.contextGradient.buffer, rowSums);
    call.launch(KernelJob::KeyGradients, {1, call.tilesOf(g.keyTokens), call.keyHeads()}, p,
                call.queries.buffer, call.keys.buffer, call.values.buffer, b.contextGradient.buffer,
                b.statistic.buffer, rowSums, b.keys.buffer, b.values.buffer, call.bias, call.slopes,
                call.allowed, call.keep);
    call.launch(KernelJob::QueryGradients, {1, call.tilesOf(g.queryTokens), call.queryHeads()}, p,
                call.queries.buffer, call.keys.buffer, call.values.buffer, b.contextGradient.buffer,
                b.statistic.buffer, rowSums, b.queries.buffer, call.bias, call.slopes, call.allowed,
                call.keep);
    if (b.bias)
        call.launch(KernelJob::BiasGradient,
                    {call.tilesOf(g.keyTokens), call.tilesOf(g.queryTokens),
                     static_cast<std::size_t>(g.queryHeads)},
                    p, call.queries.buffer, call.keys.buffer, call.values.buffer,
                    b.contextGradient.buffer, b.statistic.buffer, rowSums, b.bias->buffer,
                    call.bias, call.slopes, call.allowed, call.keep);
}

} // namespace headscope::gpu
