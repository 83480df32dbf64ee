#include "core/model/layers/embedding_layer.h"

#include "core/model/pass/model_pass.h"
#include "core/ops/embedding.h"
#include "core/ops/kernels.h"

#include <algorithm>

namespace headscope {

namespace {

EmbeddingInputs tokenInputs(const ModelPass& pass, TensorView table, float scale)
{
    EmbeddingInputs inputs;
    inputs.table = table;
    inputs.ids = pass.texts.ids;
    inputs.scale = scale;
    return inputs;
}

Shape biasShape(const ModelPass& pass)
{
    return {pass.config.heads, pass.texts.queryTokens, pass.texts.keyTokens()};
}

double embeddingDropout(const ModelPass& pass)
{
    return pass.config.embeddingDropout.value_or(pass.config.dropout);
}

} // namespace

/// Computes x[i] = scale * table[ids[i]] of a stored matrix: only those rows are unpacked.
void EmbeddingLayer::lookUpStored(ModelPass& pass, MutableTensorView x) const
{
    const StoredParameter& table =
        pass.stored->parameter(pass.stored->indexAt(m_parameters.tokens.offset));
    const std::int64_t d = x.shape[1];
    const std::span<float> row(Workspace::take(pass.workspace.tokenRow, {d}).data,
                               static_cast<std::size_t>(d));
    for (std::size_t i = 0; i < pass.texts.ids.size(); ++i) {
        unpackRow(table, pass.texts.ids[i], row);
        kernels().scaleAdd(row.data(), m_settings.scale, nullptr,
                           x[static_cast<std::int64_t>(i)].data, d);
    }
}

/// Position rows [query tokens, d], or nothing.
TensorView EmbeddingLayer::positionRows(ModelPass& pass) const
{
    const std::int64_t d = pass.config.embeddingDim();
    const PositionEncoding& encoding = pass.encoding();
    if (!encoding.traits().addsVectors)
        return {};
    const TensorView table = encoding.parameter(pass.config)
                                 ? pass.parameter(m_parameters.positions)
                                 : pass.positionVectors();
    return {table.data + pass.texts.firstPosition * d, {pass.texts.queryTokens, d}};
}

void EmbeddingLayer::addPositions(ModelPass& pass, MutableTensorView x) const
{
    TensorView rows = positionRows(pass);
    if (!rows)
        return;
    const std::int64_t count = rows.shape.elementCount();
    const TraceKey key = m_settings.place.key(Site::PosEmbed);
    if (pass.inspects()) {
        const MutableTensorView copy = Workspace::take(pass.workspace.notes, rows.shape);
        std::copy_n(rows.data, count, copy.data);
        pass.note(key, copy);
        rows = copy;
    }
    for (std::int64_t sequence = 0; sequence < pass.texts.sequences; ++sequence)
        kernels().add(rows.data, x.data + sequence * count, count);
}

void EmbeddingLayer::addSegments(ModelPass& pass, MutableTensorView x) const
{
    const TensorView table = pass.parameter(m_parameters.segments);
    if (!table)
        return;
    for (std::int64_t row = 0; row < x.shape[0]; ++row) {
        const std::int32_t segment = pass.texts.segments.empty() ? 0 : pass.texts.segments[row];
        kernels().add(table[segment].data, x[row].data, x.shape[1]);
    }
}

void EmbeddingLayer::forward(ModelPass& pass) const
{
    const MutableTensorView x = pass.value(m_out);
    if (pass.stored != nullptr)
        lookUpStored(pass, x);
    else
        embedding(tokenInputs(pass, pass.parameter(m_parameters.tokens), m_settings.scale), x);
    if (pass.inspects())
        pass.note(m_settings.place.key(Site::Embed), x);
    addPositions(pass, x);
    addSegments(pass, x);
    const Dropout dropout =
        pass.dropoutAt(m_settings.dropsOut ? embeddingDropout(pass) : 0.0, m_settings.dropoutSite);
    if (dropout.active())
        dropout.apply(x, x, pass.firstRow());
}

void EmbeddingLayer::backwardTables(ModelPass& pass, TensorView dx) const
{
    const std::int64_t d = pass.config.embeddingDim();
    const MutableTensorView tokens = pass.parameterGradient(m_parameters.tokens);
    if (!tokens)
        return;
    embeddingBackward(tokenInputs(pass, pass.parameter(m_parameters.tokens), m_settings.scale), dx,
                      tokens);
    const MutableTensorView positions = pass.parameterGradient(m_parameters.positions);
    if (positions && positionRows(pass))
        for (std::int64_t row = 0; row < dx.shape[0]; ++row)
            kernels().add(dx[row].data,
                          positions[pass.texts.firstPosition + row % pass.texts.queryTokens].data,
                          d);
    const MutableTensorView segments = pass.parameterGradient(m_parameters.segments);
    if (segments)
        for (std::int64_t row = 0; row < dx.shape[0]; ++row) {
            const std::size_t index = row;
            const std::int32_t segment =
                pass.texts.segments.empty() ? 0 : pass.texts.segments[index];
            kernels().add(dx[row].data, segments[segment].data, d);
        }
}

void EmbeddingLayer::backward(ModelPass& pass) const
{
    const MutableTensorView dx = pass.gradient(m_out);
    const Dropout dropout =
        pass.dropoutAt(m_settings.dropsOut ? embeddingDropout(pass) : 0.0, m_settings.dropoutSite);
    if (dropout.active())
        dropout.apply(dx, dx, pass.firstRow());
    // Both terms of the sum have the same gradient, whichever of them an intervention replaced.
    const auto record = [&](Site site) {
        const TraceKey key = m_settings.place.key(site);
        if (pass.wantsGradient(key))
            pass.gradientObserver->record(key, dx, 0);
    };
    if (positionRows(pass))
        record(Site::PosEmbed);
    record(Site::Embed);
    backwardTables(pass, dx);
}

void DropoutLayer::forward(ModelPass& pass) const
{
    const Dropout dropout = pass.dropoutAt(embeddingDropout(pass), m_site);
    if (dropout.active())
        dropout.apply(pass.value(m_value), pass.value(m_value), pass.firstRow());
}

void DropoutLayer::backward(ModelPass& pass) const
{
    const Dropout dropout = pass.dropoutAt(embeddingDropout(pass), m_site);
    if (dropout.active())
        dropout.apply(pass.gradient(m_value), pass.gradient(m_value), pass.firstRow());
}

BiasedScores PositionBiasLayer::scores(ModelPass& pass) const
{
    return {m_bidirectional, pass.texts.firstPosition, &pass.workspace.relativeBias};
}

void PositionBiasLayer::forward(ModelPass& pass) const
{
    if (!pass.encoding().traits().addsBias)
        return;
    pass.encoding().bias(pass.config, scores(pass), pass.parameter(m_table),
                         Workspace::take(pass.workspace.positionBias, biasShape(pass)));
    if (pass.training) {
        const MutableTensorView sum =
            Workspace::take(pass.workspace.positionBiasGradient, biasShape(pass));
        std::fill_n(sum.data, sum.shape.elementCount(), 0.0F);
    }
}

void PositionBiasLayer::backward(ModelPass& pass) const
{
    if (!pass.encoding().traits().addsBias)
        return;
    const MutableTensorView dTable = pass.parameterGradient(m_table);
    if (dTable)
        pass.encoding().biasBackward(pass.config, scores(pass),
                                     {pass.workspace.positionBiasGradient.data(), biasShape(pass)},
                                     dTable);
}

void prepareBiases(ModelPass& pass)
{
    for (const auto& layer : pass.program.layers())
        if (const auto* bias = dynamic_cast<const PositionBiasLayer*>(layer.get()))
            bias->forward(pass);
}

} // namespace headscope
