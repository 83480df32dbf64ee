#include "core/model/forward_pass.h"

#include "core/attention/attention_geometry.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/ops/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

/// One set a thread: the last run's memory serves the next.
struct ForwardPass::Buffers
{
    Tensor residual;
    Tensor normalised;
    Tensor statistics;
    Tensor queryKeyValue;
    Tensor context;
    Tensor sublayer;
    Tensor expanded;
    Tensor activated;
    Tensor pattern;
    Tensor scores;

    static Buffers& ofThisThread()
    {
        thread_local Buffers buffers;
        return buffers;
    }
};

namespace {

AttentionMask maskOf(const Interventions& interventions, std::int64_t firstRow, std::int64_t tokens)
{
    AttentionMask mask;
    mask.causal = true;
    if (interventions.mask)
        mask = *interventions.mask;
    if (!interventions.maskCells.empty()) {
        mask.allowed = interventions.maskCells.data();
        mask.allowedBatchStride = 0;
        mask.allowedQueryStride = tokens;
    }
    if (mask.allowed != nullptr)
        mask.allowed += firstRow * mask.allowedQueryStride;
    return mask;
}

/// Rows of work, split over the cores when it is a long text.
template<class Body>
void forRows(std::int64_t rows, std::int64_t columns, const Body& body)
{
    const std::size_t parts = rows * columns < 65536 ? 1 : workerCount();
    parallelFor(static_cast<std::size_t>(rows), parts,
                [&](std::size_t begin, std::size_t end, std::size_t) {
                    body(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
                });
}

std::size_t activationIndex(Activation activation)
{
    return static_cast<std::size_t>(activation); // Kernels lists them in the same order
}

} // namespace

ForwardPass::ForwardPass(const ForwardOperands& operands)
    : m_run(operands)
    , m_buffers(Buffers::ofThisThread())
    , m_first(operands.cache.size())
    , m_rows(static_cast<std::int64_t>(operands.ids.size()) - m_first)
    , m_width(operands.config.dModel)
    , m_mask(
          maskOf(operands.interventions, m_first, static_cast<std::int64_t>(operands.ids.size())))
    , m_residual(buffer(m_buffers.residual, {m_rows, m_width}))
    , m_normalised(buffer(m_buffers.normalised, {m_rows, m_width}))
    , m_queryKeyValue(buffer(m_buffers.queryKeyValue, {m_rows, 3 * m_width}))
    , m_context(buffer(m_buffers.context, {m_rows, m_width}))
    , m_sublayer(buffer(m_buffers.sublayer, {m_rows, m_width}))
{
}

Tensor ForwardPass::run()
{
    embed();
    for (int layer = 0; layer < m_run.config.layers; ++layer) {
        if (m_run.stop.stop_requested())
            throw Cancelled();
        note(Site::ResidPre, layer, m_residual);
        attend(layer);
        note(Site::ResidMid, layer, m_residual);
        if (m_run.config.dFf > 0)
            feedForward(layer);
        note(Site::ResidPost, layer, m_residual);
    }
    Tensor result = logits();
    m_run.cache.grow(m_rows);
    return result;
}

void ForwardPass::embed()
{
    const Kernels& ops = kernels();
    const TensorView table = m_run.parameters.view("tok_emb.weight");
    const auto scale = static_cast<float>(m_run.config.embeddingScale);
    for (std::int64_t row = 0; row < m_rows; ++row) {
        const TokenId id = m_run.ids[static_cast<std::size_t>(m_first + row)];
        ops.scaleAdd(table[id].data, scale, nullptr, m_residual[row].data, m_width);
    }
    note(Site::Embed, 0, m_residual);
    if (m_run.config.positions == Positions::None)
        return;
    const TensorView positions = m_run.config.positions == Positions::Learned
                                     ? m_run.parameters.view("pos_emb.weight")
                                     : m_run.packed.sinusoids.view();
    const TensorView rows(positions[m_first].data, {m_rows, m_width});
    note(Site::PosEmbed, 0, rows);
    ops.add(rows.data, m_residual.data, m_rows * m_width);
}

void ForwardPass::attend(int layer)
{
    const PackedBlock& block = m_run.packed.blocks[static_cast<std::size_t>(layer)];
    normalise(block.attentionNorm);
    block.queryKeyValue.apply(m_normalised, m_queryKeyValue);
    note(Site::Query, layer, headsOf(0));
    note(Site::Key, layer, headsOf(1));
    note(Site::Value, layer, headsOf(2));
    appendToCache(layer);
    runAttention(layer);
    block.attentionOut.apply(m_context, m_sublayer);
    note(Site::AttnOut, layer, m_sublayer);
    addToResidual(m_sublayer);
}

void ForwardPass::appendToCache(int layer)
{
    const std::int64_t headDim = m_run.config.headDim();
    const MutableTensorView destinations[2] = {m_run.cache.keys(layer), m_run.cache.values(layer)};
    for (std::int64_t part = 0; part < 2; ++part) {
        const TensorView source = headsOf(part + 1);
        for (std::int64_t row = 0; row < m_rows; ++row)
            for (std::int64_t head = 0; head < m_run.config.heads; ++head)
                std::copy_n(&source(row, head, 0), headDim,
                            &destinations[part](head, m_first + row, 0));
    }
}

void ForwardPass::runAttention(int layer)
{
    const std::int64_t heads = m_run.config.heads;
    const std::int64_t headDim = m_run.config.headDim();
    const std::int64_t tokens = m_first + m_rows;
    const auto headsFirst = [&](auto* data, std::int64_t rows, std::int64_t headStride,
                                std::int64_t rowStride) {
        BasicTensorView<std::remove_pointer_t<decltype(data)>> view(data,
                                                                    {1, heads, rows, headDim});
        view.strides = {rows * rowStride, headStride, rowStride, 1, 0};
        return view;
    };
    const std::int64_t cacheStride = m_run.config.maxLen * headDim;
    AttentionInputs inputs;
    inputs.queries = headsFirst(headsOf(0).data, m_rows, headDim, 3 * m_width);
    inputs.keys = headsFirst(m_run.cache.keys(layer).data, tokens, cacheStride, headDim);
    inputs.values = headsFirst(m_run.cache.values(layer).data, tokens, cacheStride, headDim);
    inputs.keys.strides[0] = inputs.values.strides[0] = heads * cacheStride;
    inputs.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(headDim)));
    inputs.mask = m_mask;

    AttentionOutputs outputs;
    outputs.context = headsFirst(m_context.data, m_rows, headDim, m_width);
    const Shape patternShape{1, heads, m_rows, tokens};
    if (isWanted(Site::Pattern, layer))
        outputs.pattern = buffer(m_buffers.pattern, patternShape);
    if (isWanted(Site::AttnScores, layer))
        outputs.scores = buffer(m_buffers.scores, patternShape);
    m_run.backend.forward(inputs, outputs);

    if (outputs.scores) {
        maskScores(inputs, outputs.scores);
        m_run.observer->record({Site::AttnScores, layer}, outputs.scores[0], m_first);
    }
    if (outputs.pattern)
        m_run.observer->record({Site::Pattern, layer}, outputs.pattern[0], m_first);
    ablate(layer);
    note(Site::Z, layer, TensorView(m_context.data, {m_rows, heads, headDim}));
}

void ForwardPass::maskScores(const AttentionInputs& inputs, MutableTensorView scores) const
{
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    const AttentionGeometry geometry(inputs);
    for (std::int64_t row = 0; row < m_rows; ++row) {
        const KeyRange visible = visibleKeys(m_mask, geometry, row);
        const std::uint8_t* allowed = allowedRow(m_mask, 0, row);
        for (std::int64_t head = 0; head < geometry.queryHeads; ++head) {
            float* cells = &scores(0, head, row, 0);
            for (std::int64_t key = 0; key < geometry.keyTokens; ++key)
                if (key < visible.begin || key >= visible.end || (allowed && allowed[key] == 0))
                    cells[key] = kMasked;
        }
    }
}

void ForwardPass::ablate(int layer)
{
    const std::int64_t headDim = m_run.config.headDim();
    for (const Interventions::Head& ablated : m_run.interventions.ablatedHeads) {
        if (ablated.layer != layer)
            continue;
        for (std::int64_t row = 0; row < m_rows; ++row)
            std::fill_n(&m_context(row, ablated.head * headDim), headDim, 0.0F);
    }
}

void ForwardPass::feedForward(int layer)
{
    const PackedBlock& block = m_run.packed.blocks[static_cast<std::size_t>(layer)];
    const Shape shape{m_rows, m_run.config.dFf};
    const MutableTensorView expanded = buffer(m_buffers.expanded, shape);
    const MutableTensorView activated = buffer(m_buffers.activated, shape);
    const Kernels::Activate activate = kernels().activate[activationIndex(m_run.config.activation)];
    normalise(block.feedForwardNorm);
    const auto activateColumns = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = 0; row < m_rows; ++row)
            activate(&expanded(row, begin), nullptr, nullptr, &activated(row, begin), 1,
                     end - begin);
    };
    block.expand.apply(m_normalised, expanded, std::cref(activateColumns));
    note(Site::MlpPre, layer, expanded);
    note(Site::MlpPost, layer, activated);
    block.contract.apply(activated, m_sublayer);
    note(Site::MlpOut, layer, m_sublayer);
    addToResidual(m_sublayer);
}

Tensor ForwardPass::logits()
{
    if (m_run.stop.stop_requested())
        throw Cancelled();
    normalise(m_run.packed.finalNorm);
    note(Site::LnFinal, 0, m_normalised);
    Tensor result({m_rows, m_run.config.vocabularySize});
    m_run.packed.head.apply(m_normalised, result.view());
    note(Site::Logits, 0, result.view());
    return result;
}

MutableTensorView ForwardPass::buffer(Tensor& storage, const Shape& shape) const
{
    const std::int64_t count = shape.elementCount();
    if (static_cast<std::int64_t>(storage.size()) < count)
        storage = Tensor({count});
    return {storage.data(), shape};
}

TensorView ForwardPass::headsOf(std::int64_t part) const
{
    const std::int64_t headDim = m_run.config.headDim();
    TensorView view(m_queryKeyValue.data + part * m_width, {m_rows, m_run.config.heads, headDim});
    view.strides[0] = 3 * m_width;
    return view;
}

void ForwardPass::normalise(const PackedNorm& norm)
{
    const auto epsilon = static_cast<float>(m_run.config.normEpsilon);
    const MutableTensorView statistics = buffer(m_buffers.statistics, {2, m_rows});
    forRows(m_rows, m_width, [&](std::int64_t begin, std::int64_t end) {
        kernels().layerNorm(m_residual[begin].data, norm.weight.data(), norm.bias.data(), epsilon,
                            m_normalised[begin].data, &statistics(0, begin), &statistics(1, begin),
                            end - begin, m_width);
    });
}

void ForwardPass::addToResidual(MutableTensorView sublayer)
{
    kernels().add(sublayer.data, m_residual.data, m_rows * m_width);
}

bool ForwardPass::isWanted(Site site, int layer) const
{
    return m_run.observer != nullptr && m_run.observer->wants({site, layer});
}

void ForwardPass::note(Site site, int layer, TensorView activation) const
{
    if (isWanted(site, layer))
        m_run.observer->record({site, layer}, activation, m_first);
}

} // namespace headscope
