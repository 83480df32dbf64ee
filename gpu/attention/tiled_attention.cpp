#include "gpu/attention/tiled_attention.h"

namespace headscope::gpu {

void forwardTiles(Call& call, const Placed& context, const Placed& statistic)
{
    call.launchSized(
        "tiled_forward", {1, call.tilesOf(call.geometry().queryTokens), call.queryHeads()},
        call.square(), call.parameters, call.queries.buffer, call.keys.buffer, call.values.buffer,
        context.buffer, statistic.buffer, call.bias, call.slopes, call.allowed, call.keep);
}

void mapTiles(Call& call, const Placed& statistic, cl_mem pattern, cl_mem scores)
{
    const AttentionGeometry& g = call.geometry();
    call.launchSized(
        "tiled_maps", {call.tilesOf(g.keyTokens), call.tilesOf(g.queryTokens), call.queryHeads()},
        call.square(), call.parameters, call.queries.buffer, call.keys.buffer, statistic.buffer,
        pattern, scores, call.bias, call.slopes, call.allowed, call.keep);
}

void backwardTiles(Call& call, const BackwardBuffers& b)
{
    const AttentionGeometry& g = call.geometry();
    const KernelParameters& p = call.parameters;
    const cl_mem rowSums =
        call.scratch("rowSums", call.queryHeads() * static_cast<std::size_t>(g.queryTokens));
    const auto side = static_cast<std::size_t>(call.tuning().group);
    call.launchSized("tiled_row_products",
                     {ceilDivide(g.queryTokens, call.tuning().group), call.queryHeads(), 1},
                     {side, 1, 1}, p, b.context.buffer, b.contextGradient.buffer, rowSums);
    call.launchSized("tiled_key_gradients", {1, call.tilesOf(g.keyTokens), call.keyHeads()},
                     call.square(), p, call.queries.buffer, call.keys.buffer, call.values.buffer,
                     b.contextGradient.buffer, b.statistic.buffer, rowSums, b.keys.buffer,
                     b.values.buffer, call.bias, call.slopes, call.allowed, call.keep);
    call.launchSized("tiled_query_gradients", {1, call.tilesOf(g.queryTokens), call.queryHeads()},
                     call.square(), p, call.queries.buffer, call.keys.buffer, call.values.buffer,
                     b.contextGradient.buffer, b.statistic.buffer, rowSums, b.queries.buffer,
                     call.bias, call.slopes, call.allowed, call.keep);
    if (b.bias)
        call.launchSized("tiled_bias_gradient",
                         {call.tilesOf(g.keyTokens), call.tilesOf(g.queryTokens),
                          static_cast<std::size_t>(g.queryHeads)},
                         call.square(), p, call.queries.buffer, call.keys.buffer,
                         call.values.buffer, b.contextGradient.buffer, b.statistic.buffer, rowSums,
                         b.bias->buffer, call.bias, call.slopes, call.allowed, call.keep);
}

} // namespace headscope::gpu
