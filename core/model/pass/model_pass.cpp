#include "core/model/pass/model_pass.h"

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/model/pass/pass_interventions.h"
#include "core/model/positions/layer_ropes.h"
#include "core/model/positions/position_encodings.h"
#include "core/ops/linear.h"
#include "core/ops/rope.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

namespace headscope {

MutableTensorView Workspace::take(Tensor& storage, const Shape& shape)
{
    const std::int64_t count = shape.elementCount();
    if (std::ssize(storage) < count) {
        try {
            storage = Tensor({count});
        } catch (const std::bad_alloc&) {
            throw Error(fmt::format("not enough memory for {} bytes of activations", 4 * count),
                        "model", "Use a shorter text, a smaller batch or a smaller model");
        }
    }
    return {storage.data(), shape};
}

std::int64_t PassTexts::count(Rows rows) const
{
    switch (rows) {
    case Rows::Query:
        return sequences * queryTokens;
    case Rows::Key:
        return sequences * keyTokens();
    default:
        return sequences * memoryTokens;
    }
}

void ModelPass::forward()
{
    prepare();
    forwardFrom(0);
}

void ModelPass::prepare()
{
    m_backward = false;
    const std::int64_t tokens[3] = {texts.count(Rows::Query), texts.count(Rows::Key),
                                    texts.count(Rows::Memory)};
    float* base = Workspace::take(workspace.arena, {program.arenaSize(tokens, training)}).data;
    for (std::size_t rows = 0; rows < 3; ++rows) {
        m_counts[rows] = tokens[rows];
        m_bases[rows] = base;
        base += tokens[rows] * program.width(static_cast<Rows>(rows), training);
    }
    prepareMask();
    prepareRope();
    prepareVectorsAndSlopes();
}

void ModelPass::forwardFrom(std::size_t first)
{
    for (std::size_t layer = first; layer < program.layers().size(); ++layer)
        forwardOne(layer);
}

void ModelPass::forwardOne(std::size_t layer)
{
    throwIfStopped(stop);
    m_layer = static_cast<int>(layer);
    program.layers()[layer]->forward(*this);
}

void ModelPass::backward()
{
    m_backward = true;
    const auto& layers = program.layers();
    for (m_layer = static_cast<int>(layers.size()) - 1; m_layer >= 0; --m_layer)
        layers[m_layer]->backward(*this);
}

MutableTensorView ModelPass::at(ValueRef ref, std::int64_t offset) const
{
    const Program::Value& value = program.value(ref);
    const auto rows = static_cast<std::size_t>(value.rows);
    return {m_bases[rows] + offset * m_counts[rows], {m_counts[rows], value.width}};
}

MutableTensorView ModelPass::value(ValueRef ref) const
{
    const Program::Value& value = program.value(ref);
    if (value.external)
        return memory;
    if (value.crossLayer >= 0 && cache != nullptr)
        return cache->cross(value.crossLayer);
    return at(ref, training ? value.trainingOffset : value.forwardOffset);
}

MutableTensorView ModelPass::gradient(ValueRef ref) const
{
    const Program::Value& value = program.value(ref);
    if (value.external)
        return memoryGradient;
    return at(ref, value.gradientOffset);
}

MutableTensorView ModelPass::scratch(ValueRef ref) const
{
    const Program::Value& value = program.value(ref);
    if (m_backward)
        return at(ref, value.gradientOffset);
    return at(ref, training ? value.trainingOffset : value.forwardOffset);
}

TensorView ModelPass::parameter(const ParameterRef& ref) const
{
    if (!ref)
        return {};
    return stored != nullptr ? stored->at(ref.offset, ref.shape)
                             : TensorView(parameters + ref.offset, ref.shape);
}

MutableTensorView ModelPass::parameterGradient(const ParameterRef& ref, bool zeroFirst) const
{
    if (gradients == nullptr || !ref)
        return {};
    const MutableTensorView view(gradients + ref.offset, ref.shape);
    if (zeroFirst && !ref.shared)
        std::fill_n(view.data, view.shape.elementCount(), 0.0F);
    return view;
}

void ModelPass::linear(const LinearRef& ref, TensorView in, MutableTensorView out,
                       const PackedLinear::ColumnsReady& columnsReady) const
{
    if (packed != nullptr)
        (*packed)[ref.packed].apply(in, out, columnsReady, products);
    else
        headscope::linear(in, parameter(ref.weight), parameter(ref.bias), out);
}

void ModelPass::linearBackward(const LinearRef& ref, TensorView in, TensorView dOut,
                               MutableTensorView dIn, bool addToIn) const
{
    LinearGradients wanted;
    wanted.x = dIn;
    wanted.addToX = addToIn;
    wanted.weight = parameterGradient(ref.weight, false);
    wanted.bias = parameterGradient(ref.bias, false);
    wanted.addToParameters = ref.weight.shared;
    headscope::linearBackward(in, parameter(ref.weight), dOut, wanted);
}

Dropout ModelPass::dropoutAt(double probability, std::uint64_t site) const
{
    return {dropout.active ? probability : 0.0, dropout.seed, dropout.step, site};
}

void ModelPass::note(TraceKey key, MutableTensorView activation) const
{
    if (changes)
        applyInterventions(*interventions, key, texts.firstPosition, activation);
    if (wants(key))
        observer->record(key, activation, hasSourceRows(key.site) ? 0 : texts.firstPosition);
}

void ModelPass::noteGradient(TraceKey key, MutableTensorView gradient) const
{
    if (wantsGradient(key))
        gradientObserver->record(key, gradient, 0);
    if (changes)
        clearReplaced(*interventions, key, gradient);
}

bool ModelPass::patched(TraceKey key) const
{
    return changes && isChanged(*interventions, key);
}

const PositionEncoding& ModelPass::encoding() const
{
    return encodingOf(replacesPositions() ? interventions->positions->kind : config.positions);
}

TensorView ModelPass::positionSlopes() const
{
    return m_slopes->empty() ? TensorView() : m_slopes->view();
}

/// Uses the model's own tables except for a different base, or a scaling that depends on the length
/// of the text.
void ModelPass::prepareRope()
{
    m_ropes = tables && !tables->ropes.empty() ? tables : nullptr;
    if (!encoding().traits().turns)
        return;
    const std::int64_t tokens = texts.keyTokens();
    const bool replaced = replacesPositions();
    if (m_ropes && !replaced && turningLength(config, tokens) == 0)
        return;
    std::vector<RopeSettings>& wanted = workspace.wantedRopes;
    if (replaced)
        wanted.assign(1, {.theta = interventions->positions->base});
    else
        findRopes(config, wanted);
    const std::int64_t dimensions =
        config.ropeDimensions() > 0 ? config.ropeDimensions() : config.queryDim();
    PositionTables& own = workspace.positions;
    m_ropes = &own;
    const bool fits = !own.ropes.empty() && own.ropes.front().positions() == tokens &&
                      2 * own.ropes.front().cosines.shape()[1] == dimensions;
    if (fits && workspace.ropeSettings == wanted)
        return;
    own.layerRopes = replaced ? std::vector<std::size_t>() : layerRopes(config);
    own.ropes.clear();
    for (const RopeSettings& settings : wanted)
        own.ropes.emplace_back(settings, dimensions, tokens, tokens);
    workspace.ropeSettings = wanted;
}

void ModelPass::prepareVectorsAndSlopes()
{
    const PositionTables& used = tables && !replacesPositions() ? *tables : workspace.positions;
    m_vectors = &used.vectors;
    m_slopes = &used.slopes;
    if (&used != &workspace.positions)
        return;
    const double base =
        replacesPositions() ? interventions->positions->base : config.sinusoidalBase;
    workspace.positions.vectors = encoding().vectors(config, texts.keyTokens(), base);
    workspace.positions.slopes = encoding().slopes(config);
}

void ModelPass::prepareMask()
{
    AttentionMask mask;
    mask.causal = causal;
    mask.window = config.window.value_or(0);
    if (interventions && interventions->mask)
        mask = *interventions->mask;
    const std::int64_t queries = texts.queryTokens;
    const std::int64_t keys = texts.keyTokens();
    const std::uint8_t* cells = texts.cells;
    if (interventions && !interventions->maskCells.empty())
        cells = interventions->maskCells.data() + texts.firstPosition * keys;
    else if (mask.allowed != nullptr)
        mask.allowed += texts.firstPosition * mask.allowedQueryStride;
    if (cells != nullptr) {
        mask.allowed = cells;
        mask.allowedBatchStride = 0;
        mask.allowedQueryStride = keys;
    }
    if (texts.keyMask != nullptr && cells == nullptr) {
        mask.allowed = texts.keyMask;
        mask.allowedBatchStride = keys;
        mask.allowedQueryStride = 0;
    } else if (texts.keyMask != nullptr) {
        workspace.allowed.resize(texts.sequences * queries * keys);
        std::uint8_t* out = workspace.allowed.data();
        for (std::int64_t row = 0; row < texts.sequences * queries; ++row)
            for (std::int64_t key = 0; key < keys; ++key)
                *out++ =
                    cells[row % queries * keys + key] & texts.keyMask[row / queries * keys + key];
        mask.allowed = workspace.allowed.data();
        mask.allowedBatchStride = queries * keys;
    }
    m_selfMask = mask;
}

AttentionMask ModelPass::selfMask(int layer) const
{
    AttentionMask mask = m_selfMask;
    const bool replaced = interventions && interventions->mask;
    if (!config.layerSettings.empty() && !replaced)
        mask.window = config.layerSettings[static_cast<std::size_t>(layer)].window.value_or(0);
    return mask;
}

AttentionMask ModelPass::memoryMask() const
{
    AttentionMask mask;
    mask.allowed = texts.memoryMask;
    mask.allowedBatchStride = texts.memoryTokens;
    return mask;
}

} // namespace headscope
