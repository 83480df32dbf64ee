#include "core/model/layers/embedding_layer.h"

#include "core/base/error.h"
#include "core/model/run/run.h"
#include "core/ops/embedding.h"
#include "core/ops/kernels.h"
#include "core/ops/relative_bias.h"

#include <algorithm>

namespace headscope {

namespace {

EmbeddingInputs tokenInputs(const Run& run, TensorView table, float scale)
{
    EmbeddingInputs inputs;
    inputs.table = table;
    inputs.ids = run.texts.ids;
    inputs.scale = scale;
    return inputs;
}

Shape biasShape(const Run& run)
{
    return {run.config.heads, run.texts.queryTokens, run.texts.keyTokens()};
}

bool usesRelativeBias(const Run& run)
{
    return run.positions() == Positions::RelativeBuckets;
}

RelativeBuckets bucketsOf(const Run& run, bool bidirectional)
{
    return {run.config.relativeBuckets, run.config.relativeMaxDistance, bidirectional};
}

double embeddingDropout(const Run& run)
{
    return run.config.embeddingDropout.value_or(run.config.dropout);
}

} // namespace

/// x[i] = scale * table[ids[i]] of a table that is stored: only those rows are unpacked.
void EmbeddingLayer::lookUpStored(Run& run, MutableTensorView x) const
{
    const StoredParameter& table =
        run.stored->parameter(run.stored->indexAt(m_parameters.tokens.offset));
    const std::int64_t d = x.shape[1];
    const std::span<float> row(Workspace::take(run.workspace.tokenRow, {d}).data,
                               static_cast<std::size_t>(d));
    for (std::size_t i = 0; i < run.texts.ids.size(); ++i) {
        unpackRow(table, run.texts.ids[i], row);
        kernels().scaleAdd(row.data(), m_settings.scale, nullptr,
                           x[static_cast<std::int64_t>(i)].data, d);
    }
}

/// [query tokens, d], or nothing.
TensorView EmbeddingLayer::positionRows(Run& run) const
{
    const std::int64_t d = run.config.dModel;
    const Positions positions = run.positions();
    TensorView table;
    if (positions == Positions::Learned)
        table = run.parameter(m_parameters.positions);
    else if (positions == Positions::Sinusoidal)
        table = run.sinusoidTable();
    if (!table)
        return {};
    return {table.data + run.texts.firstPosition * d, {run.texts.queryTokens, d}};
}

void EmbeddingLayer::addPositions(Run& run, MutableTensorView x) const
{
    TensorView rows = positionRows(run);
    if (!rows)
        return;
    const std::int64_t count = rows.shape.elementCount();
    const TraceKey key = m_settings.place.key(Site::PosEmbed);
    if (run.inspects()) {
        const MutableTensorView copy = Workspace::take(run.workspace.notes, rows.shape);
        std::copy_n(rows.data, count, copy.data);
        run.note(key, copy);
        rows = copy;
    }
    for (std::int64_t sequence = 0; sequence < run.texts.sequences; ++sequence)
        kernels().add(rows.data, x.data + sequence * count, count);
}

void EmbeddingLayer::addSegments(Run& run, MutableTensorView x) const
{
    const TensorView table = run.parameter(m_parameters.segments);
    if (!table)
        return;
    for (std::int64_t row = 0; row < x.shape[0]; ++row) {
        const std::int32_t segment =
            run.texts.segments.empty() ? 0 : run.texts.segments[static_cast<std::size_t>(row)];
        kernels().add(table[segment].data, x[row].data, x.shape[1]);
    }
}

void EmbeddingLayer::forward(Run& run) const
{
    const MutableTensorView x = run.value(m_out);
    if (run.stored != nullptr)
        lookUpStored(run, x);
    else
        embedding(tokenInputs(run, run.parameter(m_parameters.tokens), m_settings.scale), x);
    if (run.inspects())
        run.note(m_settings.place.key(Site::Embed), x);
    addPositions(run, x);
    addSegments(run, x);
    const Dropout dropout =
        run.dropoutAt(m_settings.dropsOut ? embeddingDropout(run) : 0.0, m_settings.dropoutSite);
    if (dropout.active())
        dropout.apply(x, x, run.firstRow());
}

void EmbeddingLayer::backwardTables(Run& run, TensorView dx) const
{
    const std::int64_t d = run.config.dModel;
    const MutableTensorView tokens = run.parameterGradient(m_parameters.tokens);
    if (!tokens)
        return;
    embeddingBackward(tokenInputs(run, run.parameter(m_parameters.tokens), m_settings.scale), dx,
                      tokens);
    const MutableTensorView positions = run.parameterGradient(m_parameters.positions);
    if (positions && positionRows(run))
        for (std::int64_t row = 0; row < dx.shape[0]; ++row)
            kernels().add(dx[row].data,
                          positions[run.texts.firstPosition + row % run.texts.queryTokens].data, d);
    const MutableTensorView segments = run.parameterGradient(m_parameters.segments);
    if (segments)
        for (std::int64_t row = 0; row < dx.shape[0]; ++row) {
            const auto index = static_cast<std::size_t>(row);
            const std::int32_t segment = run.texts.segments.empty() ? 0 : run.texts.segments[index];
            kernels().add(dx[row].data, segments[segment].data, d);
        }
}

void EmbeddingLayer::backward(Run& run) const
{
    const MutableTensorView dx = run.gradient(m_out);
    const Dropout dropout =
        run.dropoutAt(m_settings.dropsOut ? embeddingDropout(run) : 0.0, m_settings.dropoutSite);
    if (dropout.active())
        dropout.apply(dx, dx, run.firstRow());
    // Both parts of the sum have the same gradient, whichever of them an intervention replaced.
    const auto record = [&](Site site) {
        const TraceKey key = m_settings.place.key(site);
        if (run.wantsGradient(key))
            run.gradientObserver->record(key, dx, 0);
    };
    if (positionRows(run))
        record(Site::PosEmbed);
    record(Site::Embed);
    backwardTables(run, dx);
}

void DropoutLayer::forward(Run& run) const
{
    const Dropout dropout = run.dropoutAt(embeddingDropout(run), m_site);
    if (dropout.active())
        dropout.apply(run.value(m_value), run.value(m_value), run.firstRow());
}

void DropoutLayer::backward(Run& run) const
{
    const Dropout dropout = run.dropoutAt(embeddingDropout(run), m_site);
    if (dropout.active())
        dropout.apply(run.gradient(m_value), run.gradient(m_value), run.firstRow());
}

void RelativeBiasLayer::forward(Run& run) const
{
    if (!usesRelativeBias(run))
        return;
    relativeBias(bucketsOf(run, m_bidirectional), run.parameter(m_table), run.texts.firstPosition,
                 Workspace::take(run.workspace.positionBias, biasShape(run)),
                 &run.workspace.relativeBias);
    if (run.training) {
        const MutableTensorView sum =
            Workspace::take(run.workspace.positionBiasGradient, biasShape(run));
        std::fill_n(sum.data, sum.shape.elementCount(), 0.0F);
    }
}

void RelativeBiasLayer::backward(Run& run) const
{
    if (!usesRelativeBias(run))
        return;
    const MutableTensorView dTable = run.parameterGradient(m_table);
    if (dTable)
        relativeBiasBackward(bucketsOf(run, m_bidirectional),
                             {run.workspace.positionBiasGradient.data(), biasShape(run)},
                             run.texts.firstPosition, dTable, &run.workspace.relativeBias);
}

} // namespace headscope
