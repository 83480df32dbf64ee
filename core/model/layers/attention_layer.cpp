#include "core/model/layers/attention_layer.h"

#include "core/attention/attention_geometry.h"
#include "core/model/run/pattern_products.h"
#include "core/model/run/run.h"
#include "core/model/run/run_interventions.h"
#include "core/ops/kernels.h"
#include "core/ops/relative_bias.h"
#include "core/trace/kept_attention.h"

#include <algorithm>
#include <limits>

namespace headscope {

namespace {

/// Scores in masked cells are shown as -inf, which the softmax sees there.
void maskScores(const AttentionInputs& inputs, MutableTensorView scores)
{
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    const AttentionGeometry geometry(inputs);
    for (std::int64_t row = 0; row < scores.shape[2]; ++row) {
        const KeyRange visible = visibleKeys(inputs.mask, geometry, row);
        const std::uint8_t* allowed = allowedRow(inputs.mask, 0, row);
        for (std::int64_t head = 0; head < geometry.queryHeads; ++head) {
            float* cells = &scores(0, head, row, 0);
            for (std::int64_t key = 0; key < geometry.keyTokens; ++key)
                if (key < visible.begin || key >= visible.end || (allowed && allowed[key] == 0))
                    cells[key] = kMasked;
        }
    }
}

std::size_t slotOf(Place place, bool cross)
{
    return 2 * static_cast<std::size_t>(place.layer) + (cross ? 1 : 0);
}

/// The pattern as computed, or as an intervention left it.
MutableTensorView keptPattern(Run& run, std::size_t slot, bool changed, const Shape& shape)
{
    auto& kept = run.workspace.keptPatterns;
    if (kept.size() <= slot)
        kept.resize(slot + 1);
    const std::int64_t count = shape.elementCount();
    float* both = Workspace::take(kept[slot], {2, count}).data;
    return {both + (changed ? count : 0), shape};
}

} // namespace

AttentionLayer::AttentionLayer(Values values, Settings settings)
    : m_values(values)
    , m_settings(settings)
{
    if (settings.cross) {
        m_sites = {Site::CrossScores, Site::CrossPattern, Site::CrossZ};
        return;
    }
    const std::vector<float> slopes = alibiSlopes(values.queries.heads);
    m_slopes = Tensor({values.queries.heads});
    std::copy(slopes.begin(), slopes.end(), m_slopes.data());
}

/// [n, width] rows seen as [sequences, heads, tokens, channels].
MutableTensorView AttentionLayer::perSequence(const Run& run, MutableTensorView rows,
                                              const HeadColumns& columns) const
{
    const std::int64_t tokens = rows.shape[0] / run.texts.sequences;
    MutableTensorView view(rows.data + columns.first,
                           {run.texts.sequences, columns.heads, tokens, columns.width});
    view.strides = {tokens * rows.stride(0), columns.stride, rows.stride(0), 1};
    return view;
}

void AttentionLayer::appendToCache(Run& run) const
{
    const HeadColumns* parts[2] = {&m_values.keys, &m_values.values};
    const MutableTensorView destinations[2] = {run.cache->keys(m_settings.place.layer),
                                               run.cache->values(m_settings.place.layer)};
    for (int part = 0; part < 2; ++part) {
        const MutableTensorView source = headsOf(run.value(parts[part]->value), *parts[part]);
        for (std::int64_t row = 0; row < source.shape[0]; ++row)
            for (std::int64_t head = 0; head < source.shape[1]; ++head)
                std::copy_n(&source(row, head, 0), source.shape[2],
                            &destinations[part](head, run.texts.firstPosition + row, 0));
    }
}

void AttentionLayer::usePositions(Run& run, AttentionInputs& inputs) const
{
    if (m_settings.cross)
        return;
    const Positions positions = run.positions();
    if (positions == Positions::Alibi)
        inputs.alibiSlopes = m_slopes.view();
    if (positions == Positions::RelativeBuckets && m_settings.relative)
        inputs.bias =
            Workspace::take(run.workspace.positionBias,
                            {m_values.queries.heads, run.texts.queryTokens, run.texts.keyTokens()});
}

void AttentionLayer::useDropout(Run& run, AttentionInputs& inputs) const
{
    const double probability = run.config.attentionDropout.value_or(run.config.dropout);
    const Dropout dropout = run.dropoutAt(probability, m_settings.dropoutSite);
    if (!dropout.active())
        return;
    const std::int64_t rowsPerSequence = m_values.queries.heads * run.texts.queryTokens;
    const std::int64_t keys = inputs.keys.shape[2];
    const std::int64_t rows = run.texts.sequences * rowsPerSequence;
    run.workspace.attentionKeep.resize(static_cast<std::size_t>(rows * keys));
    dropout.keepMask(run.workspace.attentionKeep.data(),
                     run.dropout.firstSequence * rowsPerSequence, rows, keys);
    inputs.keep = run.workspace.attentionKeep.data();
    inputs.dropout = dropout.probability();
}

AttentionInputs AttentionLayer::inputs(Run& run) const
{
    AttentionInputs inputs;
    inputs.queries = perSequence(run, run.value(m_values.queries.value), m_values.queries);
    if (m_settings.cached && run.cache != nullptr) {
        const std::int64_t tokens = run.texts.keyTokens();
        for (const bool isKey : {true, false}) {
            const MutableTensorView cached = isKey ? run.cache->keys(m_settings.place.layer)
                                                   : run.cache->values(m_settings.place.layer);
            TensorView view(cached.data, {1, cached.shape[0], tokens, cached.shape[2]});
            view.strides = {cached.shape[0] * cached.stride(0), cached.stride(0), cached.stride(1),
                            1};
            (isKey ? inputs.keys : inputs.values) = view;
        }
    } else {
        inputs.keys = perSequence(run, run.value(m_values.keys.value), m_values.keys);
        inputs.values = perSequence(run, run.value(m_values.values.value), m_values.values);
    }
    inputs.scale = m_settings.scale;
    inputs.softCap = static_cast<float>(run.config.softCap);
    inputs.mask = m_settings.cross ? run.memoryMask() : run.selfMask();
    usePositions(run, inputs);
    useDropout(run, inputs);
    return inputs;
}

void AttentionLayer::forward(Run& run) const
{
    if (m_settings.cached && run.cache != nullptr)
        appendToCache(run);
    const AttentionInputs operands = inputs(run);
    const MutableTensorView context = run.value(m_values.context.value);
    AttentionOutputs outputs;
    outputs.context = perSequence(run, context, m_values.context);
    if (run.training)
        outputs.logSumExp =
            MutableTensorView(run.value(m_values.logSumExp).data,
                              {run.texts.sequences, m_values.queries.heads, run.texts.queryTokens});
    const TraceKey patternKey = m_settings.place.key(m_sites.pattern);
    const TraceKey scoresKey = m_settings.place.key(m_sites.scores);
    const bool edited = run.patched(patternKey);
    const bool kept = run.training && (edited || run.wantsGradient(scoresKey));
    const Shape shape{run.texts.sequences, m_values.queries.heads, run.texts.queryTokens,
                      operands.keys.shape[2]};
    const bool asOperands = run.wants(patternKey) && run.observer->keepsOperands(patternKey) &&
                            !edited && !kept &&
                            KeptAttention::canKeep(operands, run.texts.firstPosition);
    if (asOperands)
        run.observer->recordOperands(patternKey, operands, run.texts.firstPosition);
    if (edited || kept || (run.wants(patternKey) && !asOperands))
        outputs.pattern = Workspace::take(run.workspace.pattern, shape);
    if (run.wants(scoresKey))
        outputs.scores = Workspace::take(run.workspace.scores, shape);
    run.backend.forward(operands, outputs);
    if (outputs.scores) {
        maskScores(operands, outputs.scores);
        run.note(scoresKey, outputs.scores[0]);
    }
    if (outputs.pattern) {
        const auto keep = [&](bool changed) {
            const std::size_t slot = slotOf(m_settings.place, m_settings.cross);
            if (kept)
                std::copy_n(outputs.pattern.data, shape.elementCount(),
                            keptPattern(run, slot, changed, shape).data);
        };
        keep(false);
        run.note(patternKey, outputs.pattern[0]);
        if (edited)
            contextOfPattern(operands, outputs.pattern, outputs.context);
        keep(true);
    }
    if (run.inspects())
        run.note(m_settings.place.key(m_sites.z), headsOf(context, m_values.context));
}

AttentionGradients AttentionLayer::gradientViews(Run& run) const
{
    AttentionGradients gradients;
    gradients.queries = perSequence(run, run.gradient(m_values.queries.value), m_values.queries);
    gradients.keys = perSequence(run, run.gradient(m_values.keys.value), m_values.keys);
    gradients.values = perSequence(run, run.gradient(m_values.values.value), m_values.values);
    return gradients;
}

void AttentionLayer::backward(Run& run) const
{
    const AttentionInputs operands = inputs(run);
    const MutableTensorView dContext = run.gradient(m_values.context.value);
    AttentionGradients gradients = gradientViews(run);
    if (operands.bias)
        gradients.bias = Workspace::take(run.workspace.layerBiasGradient, operands.bias.shape);
    AttentionSaved saved;
    saved.context = perSequence(run, run.value(m_values.context.value), m_values.context);
    saved.logSumExp =
        TensorView(run.value(m_values.logSumExp).data,
                   {run.texts.sequences, m_values.queries.heads, run.texts.queryTokens});
    saved.contextGradient = perSequence(run, dContext, m_values.context);

    const TraceKey patternKey = m_settings.place.key(m_sites.pattern);
    const TraceKey scoresKey = m_settings.place.key(m_sites.scores);
    bool explicitly = false;
    if (run.inspects()) {
        run.noteGradient(m_settings.place.key(m_sites.z), headsOf(dContext, m_values.context));
        explicitly = run.patched(patternKey);
        const bool wantsScores = run.wantsGradient(scoresKey);
        if (explicitly || wantsScores || run.wantsGradient(patternKey)) {
            const Shape shape{1, m_values.queries.heads, run.texts.queryTokens,
                              operands.keys.shape[2]};
            const MutableTensorView dPattern =
                Workspace::take(run.workspace.patternGradient, shape);
            patternGradient(operands, saved.contextGradient, dPattern);
            run.noteGradient(patternKey, dPattern[0]);
            if (explicitly || wantsScores) {
                const std::size_t slot = slotOf(m_settings.place, m_settings.cross);
                const TensorView computed = keptPattern(run, slot, false, shape);
                if (explicitly)
                    editsBackward(*run.interventions, patternKey, computed[0], dPattern[0]);
                const MutableTensorView dScores = Workspace::take(run.workspace.scores, shape);
                scoresGradient(computed, dPattern, dScores);
                if (wantsScores)
                    run.noteGradient(scoresKey, dScores[0]);
                if (explicitly)
                    backwardOfPattern(operands, keptPattern(run, slot, true, shape), dScores,
                                      saved.contextGradient, gradients);
            }
        }
    }
    if (!explicitly)
        run.backend.backward(operands, saved, gradients);
    if (gradients.bias)
        kernels().add(gradients.bias.data, run.workspace.positionBiasGradient.data(),
                      gradients.bias.shape.elementCount());
}

} // namespace headscope
