#include "gpu/attention/attention_call.h"

#include "gpu/cl/status.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headscope::gpu {

namespace {

using Sizes = std::array<std::size_t, 3>;

std::size_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return static_cast<std::size_t>((a + b - 1) / b);
}

std::size_t floatBytes(std::size_t count)
{
    return count * sizeof(float);
}

/// [batch, heads, tokens] as rows of one float.
template<class View>
View withRowAxis(const View& rows)
{
    View view;
    view.data = rows.data;
    view.shape = {rows.shape[0], rows.shape[1], rows.shape[2], 1};
    view.strides = {rows.stride(0), rows.stride(1), rows.stride(2), 1};
    return view;
}

/// [heads, queries, keys] for every batch entry at once.
template<class View>
View withBatchAxis(const View& cells)
{
    View view;
    view.data = cells.data;
    view.shape = {1, cells.shape[0], cells.shape[1], cells.shape[2]};
    view.strides = {0, cells.stride(0), cells.stride(1), cells.stride(2), 1};
    return view;
}

/// Operands and parameters of one call, and how to launch its kernels.
class Call
{
public:
    Call(const CallResources& resources, const AttentionInputs& inputs);

    void upload();

    void finish() { m_memory.download(); }

    template<class... Arguments>
    void launch(const char* name, Sizes groups, const Arguments&... arguments)
    {
        launchSized(name, groups, {1, 1, 1}, arguments...);
    }

    template<class... Arguments>
    void launchSized(const char* name, Sizes groups, Sizes local, const Arguments&... arguments)
    {
        const cl_kernel kernel = m_resources.kernel(name);
        setArguments(kernel, arguments...);
        const Sizes global{groups[0] * local[0], groups[1] * local[1], groups[2] * local[2]};
        const cl_uint axes = groups[2] * local[2] > 1 || local[1] > 1 ? 3 : 2;
        check(clEnqueueNDRangeKernel(m_resources.queue, kernel, axes, nullptr, global.data(),
                                     local.data(), 0, nullptr, nullptr),
              std::string("clEnqueueNDRangeKernel of ") + name);
    }

    cl_mem scratch(const char* name, std::size_t floats)
    {
        return m_resources.scratch->get(m_resources.context, name, floatBytes(floats));
    }

    OperandMemory& memory() { return m_memory; }

    const AttentionGeometry& geometry() const { return m_geometry; }

    const Tuning& tuning() const { return m_resources.spec.tuning; }

    const CallResources& resources() const { return m_resources; }

    Sizes square() const
    {
        const auto side = static_cast<std::size_t>(tuning().group);
        return {side, side, 1};
    }

    std::size_t panels() const { return ceilDivide(m_geometry.keyTokens, tuning().panel()); }

    std::size_t queryBlocks() const { return ceilDivide(m_geometry.queryTokens, tuning().rows); }

    std::size_t tilesOf(std::int64_t tokens) const { return ceilDivide(tokens, tuning().tile); }

    std::size_t queryHeads() const
    {
        return static_cast<std::size_t>(m_geometry.batch * m_geometry.queryHeads);
    }

    std::size_t keyHeads() const
    {
        return static_cast<std::size_t>(m_geometry.batch * m_geometry.keyHeads);
    }

    /// A dense [heads, tokens, width] in scratch memory.
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
    const auto cells = static_cast<std::size_t>(m_geometry.queryTokens * m_geometry.keyTokens);
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
        "block_copy_rows",
        {static_cast<std::size_t>(tokens), static_cast<std::size_t>(m_geometry.batch * heads), 1},
        from.view, to.view, static_cast<cl_int>(heads), static_cast<cl_int>(tokens),
        static_cast<cl_int>(dim), static_cast<cl_int>(padded), from.buffer, to.buffer);
}

// ---- block family -------------------------------------------------------------------------------

cl_mem packedKeys(Call& call)
{
    const auto floats = call.keyHeads() * call.panels() *
                        static_cast<std::size_t>(call.geometry().headDim * call.tuning().panel());
    const cl_mem panels = call.scratch("keyPanels", floats);
    call.launch("block_pack_keys", {call.panels(), call.keyHeads(), 1}, call.parameters,
                call.keys.buffer, panels);
    return panels;
}

cl_mem packedValues(Call& call)
{
    const auto floats = call.keyHeads() * call.panels() *
                        static_cast<std::size_t>(call.geometry().valueDim * call.tuning().panel());
    const cl_mem panels = call.scratch("valuePanels", floats);
    call.launch("block_pack_values", {call.panels(), call.keyHeads(), 1}, call.parameters,
                call.values.buffer, panels);
    return panels;
}

/// The rows themselves, or a copy of them that fills the room of the kernels' rows.
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

void forwardBlocks(Call& call, const Placed& context, const Placed& statistic)
{
    const cl_mem panels = packedKeys(call);
    const Placed values = fullRows(call, call.values, "paddedValues", call.geometry().valueDim,
                                   call.resources().spec.valueSpace);
    KernelParameters p = call.parameters;
    p.value = values.view;
    call.launch("block_forward", {call.queryBlocks(), call.queryHeads(), 1}, p, call.queries.buffer,
                panels, values.buffer, context.buffer, statistic.buffer, call.bias, call.slopes,
                call.allowed, call.keep);
}

void mapBlocks(Call& call, const Placed& statistic, cl_mem pattern, cl_mem scores)
{
    const cl_mem panels = call.scratch("keyPanels", 0);
    call.launch("block_maps", {call.queryBlocks(), call.queryHeads(), 1}, call.parameters,
                call.queries.buffer, panels, statistic.buffer, pattern, scores, call.bias,
                call.slopes, call.allowed, call.keep);
}

struct BackwardBuffers
{
    Placed context, statistic, contextGradient;
    Placed queries, keys, values; ///< gradients
    std::optional<Placed> bias;
};

/// How many items share the keys of one head: enough to occupy the device, at most one per panel.
std::size_t splitsFor(const Call& call)
{
    const auto wanted = 2 * static_cast<std::size_t>(call.resources().computeUnits);
    const std::size_t splits = (wanted + call.keyHeads() - 1) / call.keyHeads();
    return std::clamp<std::size_t>(splits, 1, call.panels());
}

void sumShares(Call& call, const KernelParameters& p, cl_mem parts, const Placed& target)
{
    KernelParameters dense = p;
    dense.queryGradient = target.view;
    call.launch("block_sum_shares", {static_cast<std::size_t>(p.queryTokens), call.queryHeads(), 1},
                dense, parts, target.buffer);
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
    call.launch("block_backward", {splits, call.keyHeads(), 1}, p, call.queries.buffer, keys.buffer,
                keyPanels, valuePanels, b.context.buffer, b.contextGradient.buffer,
                b.statistic.buffer, dq.buffer, dk.buffer, dv.buffer, call.bias, call.slopes,
                call.allowed, call.keep);
    if (splits > 1)
        sumShares(call, p, dq.buffer, b.queries);
    if (g.headDim != headSpace)
        call.copyRows(dk, b.keys, g.keyHeads, g.keyTokens, g.headDim, g.headDim);
    if (g.valueDim != valueSpace)
        call.copyRows(dv, b.values, g.keyHeads, g.keyTokens, g.valueDim, g.valueDim);
    if (b.bias)
        call.launch("block_bias_gradient",
                    {call.queryBlocks(), static_cast<std::size_t>(g.queryHeads), 1},
                    call.parameters, call.queries.buffer, keyPanels, valuePanels, b.context.buffer,
                    b.contextGradient.buffer, b.statistic.buffer, b.bias->buffer, call.bias,
                    call.slopes, call.allowed, call.keep);
}

// ---- tiled family -------------------------------------------------------------------------------

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

} // namespace

void runForward(const CallResources& resources, const AttentionInputs& inputs,
                const AttentionOutputs& outputs)
{
    Call call(resources, inputs);
    OperandMemory& memory = call.memory();
    const AttentionGeometry& g = call.geometry();
    const auto context = memory.write("context", outputs.context);
    std::optional<OperandMemory::Id> statistic, pattern, scores;
    if (outputs.logSumExp)
        statistic = memory.write("rowStatistic", withRowAxis(outputs.logSumExp));
    if (outputs.pattern)
        pattern = memory.write("pattern", outputs.pattern);
    if (outputs.scores)
        scores = memory.write("scores", outputs.scores);
    call.upload();

    const Placed statisticAt =
        statistic ? memory.placed(*statistic)
                  : call.denseScratch("rowStatisticScratch", g.queryHeads, g.queryTokens, 1);
    KernelParameters& p = call.parameters;
    p.context = memory.placed(context).view;
    p.rowStatistic = statisticAt.view;
    const bool isBlock = resources.spec.family == KernelFamily::Block;
    (isBlock ? forwardBlocks : forwardTiles)(call, memory.placed(context), statisticAt);
    if (pattern || scores) {
        p.features |= (pattern ? kWantPattern : 0) | (scores ? kWantScores : 0);
        p.pattern = pattern ? memory.placed(*pattern).view : KernelView();
        p.scores = scores ? memory.placed(*scores).view : KernelView();
        const cl_mem any = memory.placed(pattern ? *pattern : *scores).buffer;
        (isBlock ? mapBlocks : mapTiles)(call, statisticAt,
                                         pattern ? memory.placed(*pattern).buffer : any,
                                         scores ? memory.placed(*scores).buffer : any);
    }
    call.finish();
}

void runBackward(const CallResources& resources, const AttentionInputs& inputs,
                 const AttentionSaved& saved, const AttentionGradients& gradients)
{
    Call call(resources, inputs);
    OperandMemory& memory = call.memory();
    const auto context = memory.read("context", saved.context);
    const auto statistic = memory.read("rowStatistic", withRowAxis(saved.logSumExp));
    const auto contextGradient = memory.read("contextGradient", saved.contextGradient);
    const auto queries = memory.write("queryGradient", gradients.queries);
    const auto keys = memory.write("keyGradient", gradients.keys);
    const auto values = memory.write("valueGradient", gradients.values);
    std::optional<OperandMemory::Id> bias;
    if (gradients.bias)
        bias = memory.write("biasGradient", withBatchAxis(gradients.bias));
    call.upload();

    BackwardBuffers b{memory.placed(context),
                      memory.placed(statistic),
                      memory.placed(contextGradient),
                      memory.placed(queries),
                      memory.placed(keys),
                      memory.placed(values),
                      std::nullopt};
    KernelParameters& p = call.parameters;
    p.context = b.context.view;
    p.rowStatistic = b.statistic.view;
    p.contextGradient = b.contextGradient.view;
    p.queryGradient = b.queries.view;
    p.keyGradient = b.keys.view;
    p.valueGradient = b.values.view;
    if (bias) {
        b.bias = memory.placed(*bias);
        p.biasGradient = b.bias->view;
    }
    (resources.spec.family == KernelFamily::Block ? backwardBlocks : backwardTiles)(call, b);
    call.finish();
}

} // namespace headscope::gpu
