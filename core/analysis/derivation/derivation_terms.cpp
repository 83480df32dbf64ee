#include "core/analysis/derivation/derivation_terms.h"

#include "core/model/weights/running_statistics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace headscope::derive_detail {

namespace {

struct Moments
{
    double mean = 0.0;
    double inverseDeviation = 0.0;
};

Moments snapshotsOf(const std::vector<double>& x, NormKind kind, double epsilon)
{
    const auto d = static_cast<double>(x.size());
    Moments moments;
    const bool centred = kind == NormKind::Layer || kind == NormKind::StdEps;
    if (centred)
        moments.mean = std::accumulate(x.begin(), x.end(), 0.0) / d;
    double squares = 0.0;
    for (const double value : x)
        squares += (value - moments.mean) * (value - moments.mean);
    moments.inverseDeviation = kind == NormKind::StdEps
                                   ? 1.0 / (std::sqrt(squares / std::max(d - 1.0, 1.0)) + epsilon)
                                   : 1.0 / std::sqrt(squares / d + epsilon);
    return moments;
}

bool isCentred(NormKind kind)
{
    return kind == NormKind::Layer || kind == NormKind::StdEps || kind == NormKind::Batch;
}

/// Moments that normalise one channel of the row `x`: of the row, or running ones.
class NormMoments
{
public:
    NormMoments(const Source& source, const NumberRef& norm)
        : m_source(source)
        , m_norm(norm.name)
        , m_row(source.normInputRow(norm))
    {
        if (source.config.norm != NormKind::Batch)
            m_common = snapshotsOf(m_row, source.config.norm, source.config.normEpsilon);
    }

    double x(std::int64_t channel) const { return m_row.at(static_cast<std::size_t>(channel)); }

    Moments of(std::int64_t channel) const
    {
        if (m_common)
            return *m_common;
        const double variance = m_source.parameter(m_norm + kRunningVariance, {channel});
        return {m_source.parameter(m_norm + kRunningMean, {channel}),
                1.0 / std::sqrt(variance + m_source.config.normEpsilon)};
    }

private:
    const Source& m_source;
    const std::string& m_norm;
    std::vector<double> m_row;
    std::optional<Moments> m_common;
};

} // namespace

Term product(std::vector<Factor> factors)
{
    Term term{std::move(factors), 1.0};
    for (const Factor& factor : term.factors)
        term.value *= factor.value;
    return term;
}

Derivation sum(std::string formula, std::vector<Term> terms)
{
    Derivation result;
    result.formula = std::move(formula);
    result.terms = std::move(terms);
    for (const Term& term : result.terms)
        result.recomputed += term.value;
    return result;
}

Derivation ends(std::string why)
{
    Derivation result;
    result.end = std::move(why);
    return result;
}

Derivation linear(const Source& source, const LinearNames& names, std::int64_t row,
                  const NumberRef& input)
{
    const std::int64_t width = source.model.parameters().view(names.weight).shape[1];
    // A norm's row is computed once, not once per channel.
    const bool normed = input.kind == NumberRef::Kind::Normed;
    std::optional<NormMoments> norm;
    if (normed)
        norm.emplace(source, input);
    const bool offset = source.config.norm == NormKind::RmsUnitOffset;
    const bool beta = normed && source.hasParameter(input.name + ".bias");
    std::vector<Term> terms;
    for (std::int64_t channel = 0; channel < width; ++channel) {
        NumberRef cell = input;
        cell.index.back() = channel;
        Factor in{fmt::format("x[{}]", channel), 0.0, cell};
        if (normed) {
            const double gamma = source.parameter(input.name + ".weight", {channel});
            const Moments moments = norm->of(channel);
            in.value = (norm->x(channel) - moments.mean) * moments.inverseDeviation *
                           (offset ? 1.0 + gamma : gamma) +
                       (beta ? source.parameter(input.name + ".bias", {channel}) : 0.0);
        } else {
            in.value = source.value(cell);
        }
        terms.push_back(product({in, source.weight("W", names.weight, {row, channel})}));
    }
    const bool biased = source.hasParameter(names.bias);
    if (biased)
        terms.push_back(product({source.weight("b", names.bias, {row})}));
    return sum(biased ? "sum over channels of x W, plus b" : "sum over channels of x W",
               std::move(terms));
}

Derivation deriveNorm(const Source& source, const NumberRef& number)
{
    const NormMoments norm(source, number);
    const NormKind kind = source.config.norm;
    const std::int64_t channel = number.index.at(1);
    const Moments moments = norm.of(channel);
    NumberRef input = number;
    input.kind = NumberRef::Kind::NormInput;
    const Factor x{"x", norm.x(channel), input};
    const Factor gamma = source.weight("gamma", number.name + ".weight", {channel});
    const Factor deviation = Source::constant("1 / deviation", moments.inverseDeviation);
    Derivation result;
    const bool centred = isCentred(kind);
    const double scale = kind == NormKind::RmsUnitOffset ? 1.0 + gamma.value : gamma.value;
    result.terms.push_back(
        {{x, deviation, gamma}, (x.value - moments.mean) * moments.inverseDeviation * scale});
    if (source.hasParameter(number.name + ".bias"))
        result.terms.push_back(product({source.weight("beta", number.name + ".bias", {channel})}));
    result.formula = centred                 ? "(x - mean) / deviation * gamma + beta"
                     : kind == NormKind::Rms ? "x / root mean square * gamma"
                                             : "x / root mean square * (1 + gamma)";
    result.constants.push_back(deviation);
    if (centred)
        result.constants.push_back(Source::constant("mean", moments.mean));
    for (const Term& term : result.terms)
        result.recomputed += term.value;
    return result;
}

Derivation unembedding(const Source& source, std::int64_t token, const NumberRef& hidden)
{
    if (source.config.headTransform)
        return ends("through the dense layer and norm of the masked-language head");
    const std::string table = source.config.tieEmbeddings ? "tok_emb.weight" : "head.weight";
    Derivation result = linear(source, {table, {}}, token, hidden);
    if (source.config.headScale != 1.0) {
        result.constants.push_back(Source::constant("scale", source.config.headScale));
        result.recomputed *= source.config.headScale;
        result.formula += ", times the head's scale";
    }
    if (source.hasParameter("head.bias")) {
        result.terms.push_back(product({source.weight("b", "head.bias", {token})}));
        result.recomputed += result.terms.back().value;
    }
    if (const double cap = source.config.logitCap; cap > 0.0) {
        result.constants.push_back(Source::constant("cap", cap));
        result.recomputed = cap * std::tanh(result.recomputed / cap);
        result.formula += ", then cap tanh(logit / cap)";
    }
    return result;
}

} // namespace headscope::derive_detail
