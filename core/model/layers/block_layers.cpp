#include "core/model/layers/block_layers.h"

#include "core/base/parallel.h"
#include "core/model/pass/model_pass.h"
#include "core/ops/rope.h"

#include <algorithm>

namespace headscope {

namespace {

/// Splits rows of work over the cores for a long text. Inside a batch that is split already it runs
/// in place.
template<class Body>
void forRows(std::int64_t rows, std::int64_t columns, const Body& body)
{
    const std::size_t parts = rows * columns < 65536 ? 1 : workerCount();
    parallelFor(rows, parts, [&](std::size_t begin, std::size_t end, std::size_t) {
        body(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin));
    });
}

MutableTensorView rowRange(MutableTensorView view, std::int64_t first, std::int64_t count)
{
    return {view.data + first * view.shape[1], {count, view.shape[1]}};
}

MutableTensorView flat(MutableTensorView column, std::int64_t first, std::int64_t count)
{
    return {column.data + first, {count}};
}

NormParameters parametersOf(const ModelPass& pass, const NormRef& norm)
{
    return {norm.kind, norm.epsilon, pass.parameter(norm.gamma), pass.parameter(norm.beta)};
}

RopeRows turningRows(const ModelPass& pass, MutableTensorView rows, const HeadColumns& columns)
{
    RopeRows turning;
    turning.data = rows.data + columns.first;
    turning.rows = rows.shape[0];
    turning.rowStride = rows.stride(0);
    turning.heads = columns.heads;
    turning.headStride = columns.stride;
    turning.firstPosition = pass.texts.firstPosition;
    turning.length = pass.texts.queryTokens;
    return turning;
}

} // namespace

MutableTensorView headsOf(MutableTensorView rows, const HeadColumns& columns)
{
    MutableTensorView view(rows.data + columns.first,
                           {rows.shape[0], columns.heads, columns.width});
    view.strides = {rows.stride(0), columns.stride, 1};
    return view;
}

void NoteLayer::forward(ModelPass& pass) const
{
    if (pass.inspects())
        pass.note(m_key, pass.value(m_value));
}

void NoteLayer::backward(ModelPass& pass) const
{
    if (pass.inspects())
        pass.noteGradient(m_key, pass.gradient(m_value));
}

void NormLayer::forward(ModelPass& pass) const
{
    const MutableTensorView in = pass.value(m_values.in);
    const MutableTensorView out = pass.value(m_values.out);
    const NormParameters parameters = parametersOf(pass, m_norm);
    forRows(in.shape[0], in.shape[1], [&](std::int64_t first, std::int64_t count) {
        NormStatistics statistics;
        if (pass.training)
            statistics = {flat(pass.value(m_values.mean), first, count),
                          flat(pass.value(m_values.deviation), first, count)};
        norm(parameters, rowRange(in, first, count), rowRange(out, first, count), statistics);
    });
    if (m_site && pass.inspects())
        pass.note(*m_site, out);
}

void NormLayer::backward(ModelPass& pass) const
{
    const MutableTensorView in = pass.value(m_values.in);
    const MutableTensorView dOut = pass.gradient(m_values.out);
    const std::int64_t rows = in.shape[0];
    if (m_site && pass.inspects())
        pass.noteGradient(*m_site, dOut);
    NormGradients gradients;
    gradients.x = pass.gradient(m_values.in);
    if (!pass.accumulates(m_values.in))
        std::fill_n(gradients.x.data, gradients.x.shape.elementCount(), 0.0F);
    gradients.gamma = pass.parameterGradient(m_norm.gamma);
    gradients.beta = pass.parameterGradient(m_norm.beta);
    normBackward(
        parametersOf(pass, m_norm), in,
        {flat(pass.value(m_values.mean), 0, rows), flat(pass.value(m_values.deviation), 0, rows)},
        dOut, gradients);
}

void LinearLayer::noteParts(ModelPass& pass) const
{
    if (!pass.inspects())
        return;
    const MutableTensorView out = pass.value(m_out);
    for (const Part& part : m_parts)
        pass.note(part.key, part.columns.heads > 0 ? headsOf(out, part.columns) : out);
}

void LinearLayer::forward(ModelPass& pass) const
{
    pass.linear(m_linear, pass.value(m_in), pass.value(m_out));
    noteParts(pass);
}

void LinearLayer::backward(ModelPass& pass) const
{
    const MutableTensorView dOut = pass.gradient(m_out);
    if (pass.inspects())
        for (const Part& part : m_parts)
            pass.noteGradient(part.key,
                              part.columns.heads > 0 ? headsOf(dOut, part.columns) : dOut);
    pass.linearBackward(m_linear, pass.value(m_in), dOut, pass.gradient(m_in),
                        pass.accumulates(m_in));
}

bool RotaryLayer::turns(const ModelPass& pass, When when)
{
    const bool rotary = pass.encoding().traits().turns;
    switch (when) {
    case When::Always:
        return rotary || !pass.replacesPositions();
    case When::Replaced:
        return rotary && pass.replacesPositions();
    default:
        return rotary;
    }
}

void RotaryLayer::forward(ModelPass& pass) const
{
    if (!turns(pass, m_when))
        return;
    for (const Part& part : m_parts) {
        const MutableTensorView rows = pass.value(part.columns.value);
        rope(pass.ropeTable(part.key.layer), turningRows(pass, rows, part.columns));
        if (pass.inspects())
            pass.note(part.key, part.seen.heads > 0 ? headsOf(rows, part.seen) : rows);
    }
}

void RotaryLayer::backward(ModelPass& pass) const
{
    if (!turns(pass, m_when))
        return;
    for (const Part& part : m_parts) {
        const MutableTensorView rows = pass.gradient(part.columns.value);
        if (pass.inspects())
            pass.noteGradient(part.key, part.seen.heads > 0 ? headsOf(rows, part.seen) : rows);
        ropeBackward(pass.ropeTable(part.key.layer), turningRows(pass, rows, part.columns));
    }
}

} // namespace headscope
