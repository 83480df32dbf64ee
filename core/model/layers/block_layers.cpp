#include "core/model/layers/block_layers.h"

#include "core/base/parallel.h"
#include "core/model/run/run.h"

#include <algorithm>

namespace headscope {

namespace {

/// Rows of work, split over the cores when it is a long text. Inside a batch that is split already
/// it runs in place.
template<class Body>
void forRows(std::int64_t rows, std::int64_t columns, const Body& body)
{
    const std::size_t parts = rows * columns < 65536 ? 1 : workerCount();
    parallelFor(static_cast<std::size_t>(rows), parts,
                [&](std::size_t begin, std::size_t end, std::size_t) {
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

NormParameters parametersOf(const Run& run, const NormRef& norm)
{
    return {norm.kind, norm.epsilon, run.parameter(norm.gamma), run.parameter(norm.beta)};
}

RopeRows turningRows(const Run& run, MutableTensorView rows, const HeadColumns& columns)
{
    RopeRows turning;
    turning.data = rows.data + columns.first;
    turning.rows = rows.shape[0];
    turning.rowStride = rows.stride(0);
    turning.heads = columns.heads;
    turning.headStride = columns.stride;
    turning.firstPosition = run.texts.firstPosition;
    turning.length = run.texts.queryTokens;
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

void NoteLayer::forward(Run& run) const
{
    if (run.inspects())
        run.note(m_key, run.value(m_value));
}

void NoteLayer::backward(Run& run) const
{
    if (run.inspects())
        run.noteGradient(m_key, run.gradient(m_value));
}

void NormLayer::forward(Run& run) const
{
    const MutableTensorView in = run.value(m_values.in);
    const MutableTensorView out = run.value(m_values.out);
    const NormParameters parameters = parametersOf(run, m_norm);
    forRows(in.shape[0], in.shape[1], [&](std::int64_t first, std::int64_t count) {
        NormStatistics statistics;
        if (run.training)
            statistics = {flat(run.value(m_values.mean), first, count),
                          flat(run.value(m_values.deviation), first, count)};
        norm(parameters, rowRange(in, first, count), rowRange(out, first, count), statistics);
    });
    if (m_site && run.inspects())
        run.note(*m_site, out);
}

void NormLayer::backward(Run& run) const
{
    const MutableTensorView in = run.value(m_values.in);
    const MutableTensorView dOut = run.gradient(m_values.out);
    const std::int64_t rows = in.shape[0];
    if (m_site && run.inspects())
        run.noteGradient(*m_site, dOut);
    NormGradients gradients;
    gradients.x = run.gradient(m_values.in);
    if (!run.accumulates(m_values.in))
        std::fill_n(gradients.x.data, gradients.x.shape.elementCount(), 0.0F);
    gradients.gamma = run.parameterGradient(m_norm.gamma);
    gradients.beta = run.parameterGradient(m_norm.beta);
    normBackward(
        parametersOf(run, m_norm), in,
        {flat(run.value(m_values.mean), 0, rows), flat(run.value(m_values.deviation), 0, rows)},
        dOut, gradients);
}

void LinearLayer::noteParts(Run& run) const
{
    if (!run.inspects())
        return;
    const MutableTensorView out = run.value(m_out);
    for (const Part& part : m_parts)
        run.note(part.key, part.columns.heads > 0 ? headsOf(out, part.columns) : out);
}

void LinearLayer::forward(Run& run) const
{
    run.linear(m_linear, run.value(m_in), run.value(m_out));
    noteParts(run);
}

void LinearLayer::backward(Run& run) const
{
    const MutableTensorView dOut = run.gradient(m_out);
    if (run.inspects())
        for (const Part& part : m_parts)
            run.noteGradient(part.key, part.columns.heads > 0 ? headsOf(dOut, part.columns) : dOut);
    run.linearBackward(m_linear, run.value(m_in), dOut, run.gradient(m_in), run.accumulates(m_in));
}

bool RotaryLayer::turns(const Run& run) const
{
    return run.positions() == Positions::Rope ||
           (m_always && !(run.interventions && run.interventions->positions));
}

void RotaryLayer::forward(Run& run) const
{
    if (!turns(run))
        return;
    for (const Part& part : m_parts) {
        const MutableTensorView rows = run.value(part.columns.value);
        rope(run.ropeTable(), turningRows(run, rows, part.columns));
        if (run.inspects())
            run.note(part.key, part.seen.heads > 0 ? headsOf(rows, part.seen) : rows);
    }
}

void RotaryLayer::backward(Run& run) const
{
    if (!turns(run))
        return;
    for (const Part& part : m_parts) {
        const MutableTensorView rows = run.gradient(part.columns.value);
        if (run.inspects())
            run.noteGradient(part.key, part.seen.heads > 0 ? headsOf(rows, part.seen) : rows);
        ropeBackward(run.ropeTable(), turningRows(run, rows, part.columns));
    }
}

} // namespace headscope
