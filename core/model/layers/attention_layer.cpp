#include "core/model/layers/attention_layer.h"

#include "core/attention/attention_geometry.h"
#include "core/model/pass/model_pass.h"
#include "core/model/pass/pass_interventions.h"
#include "core/model/pass/pattern_products.h"
#include "core/ops/kernels.h"
#include "core/trace/retained_attention.h"

#include <algorithm>
#include <limits>

namespace headscope {

namespace {

/// Writes -inf into the scores of masked cells, as the softmax sees them.
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

/// Views the first tokens of [heads, tokens, channels] as those of one sequence.
TensorView firstTokens(TensorView heads, std::int64_t tokens)
{
    TensorView view(heads.data, {1, heads.shape[0], tokens, heads.shape[2]});
    view.strides = {heads.shape[0] * heads.stride(0), heads.stride(0), heads.stride(1), 1};
    return view;
}

std::size_t slotOf(Place place, bool cross)
{
    return 2 * static_cast<std::size_t>(place.layer) + (cross ? 1 : 0);
}

/// The pattern as computed, or as changed by an intervention.
MutableTensorView retainedPattern(ModelPass& pass, std::size_t slot, bool changed,
                                  const Shape& shape)
{
    auto& kept = pass.workspace.retainedPatterns;
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
    if (settings.cross)
        m_sites = {Site::CrossScores, Site::CrossPattern, Site::CrossZ};
}

/// Views [n, width] rows as [sequences, heads, tokens, channels].
MutableTensorView AttentionLayer::perSequence(const ModelPass& pass, MutableTensorView rows,
                                              const HeadColumns& columns) const
{
    const std::int64_t tokens = rows.shape[0] / pass.texts.sequences;
    MutableTensorView view(rows.data + columns.first,
                           {pass.texts.sequences, columns.heads, tokens, columns.width});
    view.strides = {tokens * rows.stride(0), columns.stride, rows.stride(0), 1};
    return view;
}

void AttentionLayer::appendToCache(ModelPass& pass) const
{
    const HeadColumns* parts[2] = {&m_values.keys, &m_values.values};
    const MutableTensorView destinations[2] = {pass.cache->keys(m_settings.place.layer),
                                               pass.cache->values(m_settings.place.layer)};
    for (int part = 0; part < 2; ++part) {
        const MutableTensorView source = headsOf(pass.value(parts[part]->value), *parts[part]);
        for (std::int64_t row = 0; row < source.shape[0]; ++row)
            for (std::int64_t head = 0; head < source.shape[1]; ++head)
                std::copy_n(&source(row, head, 0), source.shape[2],
                            &destinations[part](head, pass.texts.firstPosition + row, 0));
    }
}

void AttentionLayer::usePositions(ModelPass& pass, AttentionInputs& inputs) const
{
    if (m_settings.cross)
        return;
    inputs.alibiSlopes = pass.positionSlopes();
    if (pass.encoding().traits().addsBias)
        inputs.bias = Workspace::take(
            pass.workspace.positionBias,
            {m_values.queries.heads, pass.texts.queryTokens, pass.texts.keyTokens()});
}

void AttentionLayer::useDropout(ModelPass& pass, AttentionInputs& inputs) const
{
    const double probability = pass.config.attentionDropout.value_or(pass.config.dropout);
    const Dropout dropout = pass.dropoutAt(probability, m_settings.dropoutSite);
    if (!dropout.active())
        return;
    const std::int64_t rowsPerSequence = m_values.queries.heads * pass.texts.queryTokens;
    const std::int64_t keys = inputs.keys.shape[2];
    const std::int64_t rows = pass.texts.sequences * rowsPerSequence;
    pass.workspace.attentionKeep.resize(rows * keys);
    dropout.keepMask(pass.workspace.attentionKeep.data(),
                     pass.dropout.firstSequence * rowsPerSequence, rows, keys);
    inputs.keep = pass.workspace.attentionKeep.data();
    inputs.dropout = dropout.probability();
}

AttentionInputs AttentionLayer::inputs(ModelPass& pass) const
{
    AttentionInputs inputs;
    inputs.queries = perSequence(pass, pass.value(m_values.queries.value), m_values.queries);
    const std::int64_t tokens = pass.texts.keyTokens();
    if (pass.attended != nullptr) {
        inputs.keys = firstTokens(pass.attended->keys(), tokens);
        inputs.values = firstTokens(pass.attended->values(), tokens);
    } else if (m_settings.cached && pass.cache != nullptr) {
        inputs.keys = firstTokens(pass.cache->keys(m_settings.place.layer), tokens);
        inputs.values = firstTokens(pass.cache->values(m_settings.place.layer), tokens);
    } else {
        inputs.keys = perSequence(pass, pass.value(m_values.keys.value), m_values.keys);
        inputs.values = perSequence(pass, pass.value(m_values.values.value), m_values.values);
    }
    inputs.scale = m_settings.scale;
    inputs.softCap = static_cast<float>(pass.config.softCap);
    inputs.mask = m_settings.cross ? pass.memoryMask() : pass.selfMask(m_settings.place.layer);
    if (m_settings.sinks)
        inputs.sinks = pass.parameter(m_settings.sinks);
    usePositions(pass, inputs);
    useDropout(pass, inputs);
    return inputs;
}

void AttentionLayer::forward(ModelPass& pass) const
{
    if (m_settings.cached && pass.cache != nullptr)
        appendToCache(pass);
    const AttentionInputs operands = inputs(pass);
    const MutableTensorView context = pass.value(m_values.context.value);
    AttentionOutputs outputs;
    outputs.context = perSequence(pass, context, m_values.context);
    if (pass.training)
        outputs.logSumExp = MutableTensorView(
            pass.value(m_values.logSumExp).data,
            {pass.texts.sequences, m_values.queries.heads, pass.texts.queryTokens});
    const TraceKey patternKey = m_settings.place.key(m_sites.pattern);
    const TraceKey scoresKey = m_settings.place.key(m_sites.scores);
    const bool edited = pass.patched(patternKey);
    const bool kept = pass.training && (edited || pass.wantsGradient(scoresKey));
    const Shape shape{pass.texts.sequences, m_values.queries.heads, pass.texts.queryTokens,
                      operands.keys.shape[2]};
    const bool asOperands = pass.wants(patternKey) && pass.observer->keepsOperands(patternKey) &&
                            !edited && !kept &&
                            RetainedAttention::canKeep(operands, pass.texts.firstPosition);
    if (asOperands)
        pass.observer->recordOperands(patternKey, operands, pass.texts.firstPosition);
    if (edited || kept || (pass.wants(patternKey) && !asOperands))
        outputs.pattern = Workspace::take(pass.workspace.pattern, shape);
    if (pass.wants(scoresKey))
        outputs.scores = Workspace::take(pass.workspace.scores, shape);
    pass.backend.forward(operands, outputs);
    if (outputs.scores) {
        maskScores(operands, outputs.scores);
        pass.note(scoresKey, outputs.scores[0]);
    }
    if (outputs.pattern) {
        const auto keep = [&](bool changed) {
            const std::size_t slot = slotOf(m_settings.place, m_settings.cross);
            if (kept)
                std::copy_n(outputs.pattern.data, shape.elementCount(),
                            retainedPattern(pass, slot, changed, shape).data);
        };
        keep(false);
        pass.note(patternKey, outputs.pattern[0]);
        if (edited)
            contextOfPattern(operands, outputs.pattern, outputs.context);
        keep(true);
    }
    if (pass.inspects())
        pass.note(m_settings.place.key(m_sites.z), headsOf(context, m_values.context));
}

AttentionGradients AttentionLayer::gradientViews(ModelPass& pass) const
{
    AttentionGradients gradients;
    gradients.queries = perSequence(pass, pass.gradient(m_values.queries.value), m_values.queries);
    gradients.keys = perSequence(pass, pass.gradient(m_values.keys.value), m_values.keys);
    gradients.values = perSequence(pass, pass.gradient(m_values.values.value), m_values.values);
    return gradients;
}

void AttentionLayer::backward(ModelPass& pass) const
{
    const AttentionInputs operands = inputs(pass);
    const MutableTensorView dContext = pass.gradient(m_values.context.value);
    AttentionGradients gradients = gradientViews(pass);
    if (m_settings.sinks)
        gradients.sinks = pass.parameterGradient(m_settings.sinks);
    if (operands.bias)
        gradients.bias = Workspace::take(pass.workspace.layerBiasGradient, operands.bias.shape);
    AttentionSaved saved;
    saved.context = perSequence(pass, pass.value(m_values.context.value), m_values.context);
    saved.logSumExp =
        TensorView(pass.value(m_values.logSumExp).data,
                   {pass.texts.sequences, m_values.queries.heads, pass.texts.queryTokens});
    saved.contextGradient = perSequence(pass, dContext, m_values.context);

    const TraceKey patternKey = m_settings.place.key(m_sites.pattern);
    const TraceKey scoresKey = m_settings.place.key(m_sites.scores);
    bool explicitly = false;
    if (pass.inspects()) {
        pass.noteGradient(m_settings.place.key(m_sites.z), headsOf(dContext, m_values.context));
        explicitly = pass.patched(patternKey);
        const bool wantsScores = pass.wantsGradient(scoresKey);
        if (explicitly || wantsScores || pass.wantsGradient(patternKey)) {
            const Shape shape{1, m_values.queries.heads, pass.texts.queryTokens,
                              operands.keys.shape[2]};
            const MutableTensorView dPattern =
                Workspace::take(pass.workspace.patternGradient, shape);
            patternGradient(operands, saved.contextGradient, dPattern);
            pass.noteGradient(patternKey, dPattern[0]);
            if (explicitly || wantsScores) {
                const std::size_t slot = slotOf(m_settings.place, m_settings.cross);
                const TensorView computed = retainedPattern(pass, slot, false, shape);
                if (explicitly)
                    editsBackward(*pass.interventions, patternKey, computed[0], dPattern[0]);
                const MutableTensorView dScores = Workspace::take(pass.workspace.scores, shape);
                scoresGradient(computed, dPattern, dScores);
                if (wantsScores)
                    pass.noteGradient(scoresKey, dScores[0]);
                if (explicitly)
                    backwardOfPattern(operands, retainedPattern(pass, slot, true, shape), dScores,
                                      saved.contextGradient, gradients);
            }
        }
    }
    if (!explicitly)
        pass.backend.backward(operands, saved, gradients);
    if (gradients.bias)
        kernels().add(gradients.bias.data, pass.workspace.positionBiasGradient.data(),
                      gradients.bias.shape.elementCount());
}

} // namespace headscope
