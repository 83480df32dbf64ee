#include "core/model/layers/head_norm_layer.h"

#include "core/model/pass/model_pass.h"

#include <algorithm>

namespace headscope {

/// Vectors of one token, viewed as rows to normalise.
struct HeadNormLayer::Token
{
    MutableTensorView in;  ///< [groups, width]
    MutableTensorView out; ///< [groups, width]
    NormStatistics statistics;
};

HeadNormLayer::Token HeadNormLayer::token(const ModelPass& pass, MutableTensorView in,
                                          MutableTensorView out, std::int64_t row) const
{
    const std::int64_t rows = groups(m_kind, m_values.in.heads);
    const Shape shape{rows, m_values.in.heads * m_values.in.width / rows};
    Token result{{in[row].data + m_values.in.first, shape}, {out[row].data, shape}, {}};
    const auto statistic = [&](ValueRef value) {
        return MutableTensorView(pass.value(value)[row].data, {rows});
    };
    if (pass.training)
        result.statistics = {statistic(m_values.mean), statistic(m_values.deviation)};
    return result;
}

/// Calls body(group of the gamma, first vector, vectors) for all vectors of a token.
template<class Body>
void HeadNormLayer::forEachPart(const Body& body) const
{
    if (m_kind == QueryKeyNorm::OwnPerHead)
        for (std::int64_t head = 0; head < m_values.in.heads; ++head)
            body(head, head, 1);
    else
        body(0, 0, groups(m_kind, m_values.in.heads));
}

NormParameters HeadNormLayer::parameters(const ModelPass& pass, std::int64_t group) const
{
    const auto ofGroup = [&](const ParameterRef& ref) -> TensorView {
        const TensorView whole = pass.parameter(ref);
        return m_kind == QueryKeyNorm::OwnPerHead && whole ? whole[group] : whole;
    };
    return {m_norm.kind, m_norm.epsilon, ofGroup(m_norm.gamma), ofGroup(m_norm.beta)};
}

namespace {

MutableTensorView rowsOf(MutableTensorView view, std::int64_t first, std::int64_t count)
{
    return {view[first].data, {count, view.shape[1]}};
}

NormStatistics part(const NormStatistics& all, std::int64_t first, std::int64_t count)
{
    if (!all.mean)
        return {};
    return {{all.mean.data + first, {count}}, {all.inverseDeviation.data + first, {count}}};
}

} // namespace

bool HeadNormLayer::notes(const ModelPass& pass) const
{
    return pass.inspects() && !RotaryLayer::turns(pass, m_rotation);
}

void HeadNormLayer::forward(ModelPass& pass) const
{
    const MutableTensorView in = pass.value(m_values.in.value);
    const MutableTensorView out = pass.value(m_values.out);
    for (std::int64_t row = 0; row < in.shape[0]; ++row) {
        const Token one = token(pass, in, out, row);
        forEachPart([&](std::int64_t group, std::int64_t first, std::int64_t count) {
            norm(parameters(pass, group), rowsOf(one.in, first, count),
                 rowsOf(one.out, first, count), part(one.statistics, first, count));
        });
    }
    if (notes(pass))
        pass.note(m_site, headsOf(out, {m_values.out, 0, m_values.in.heads, m_values.in.width,
                                        m_values.in.width}));
}

void HeadNormLayer::backward(ModelPass& pass) const
{
    const MutableTensorView in = pass.value(m_values.in.value);
    const MutableTensorView dIn = pass.gradient(m_values.in.value);
    const MutableTensorView dOut = pass.gradient(m_values.out);
    if (notes(pass))
        pass.noteGradient(m_site, headsOf(dOut, {m_values.out, 0, m_values.in.heads,
                                                 m_values.in.width, m_values.in.width}));
    const MutableTensorView dGamma = pass.parameterGradient(m_norm.gamma);
    const MutableTensorView dBeta = pass.parameterGradient(m_norm.beta);
    const auto ofGroup = [&](MutableTensorView whole, std::int64_t group) {
        return m_kind == QueryKeyNorm::OwnPerHead && whole ? whole[group] : whole;
    };
    for (std::int64_t row = 0; row < in.shape[0]; ++row) {
        const Token one = token(pass, in, dOut, row);
        const MutableTensorView dVectors = token(pass, dIn, dOut, row).in;
        std::fill_n(dVectors.data, dVectors.shape.elementCount(), 0.0F);
        forEachPart([&](std::int64_t group, std::int64_t first, std::int64_t count) {
            normBackward(
                parameters(pass, group), rowsOf(one.in, first, count),
                part(one.statistics, first, count), rowsOf(one.out, first, count),
                {rowsOf(dVectors, first, count), ofGroup(dGamma, group), ofGroup(dBeta, group)});
        });
    }
}

} // namespace headscope
