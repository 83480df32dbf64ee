#include "core/analysis/derivation/derivation_made.h"

#include "core/analysis/derivation/derivation_terms.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace headscope::derive_detail {

namespace {

using Kind = NumberRef::Kind;

constexpr std::size_t kShownLogits = 512; ///< Further tokens of a large vocabulary form one term.

std::vector<Factor> factorsOf(const Source& source, const std::vector<NumberRef>& parts)
{
    std::vector<Factor> factors;
    for (const NumberRef& part : parts)
        factors.push_back(source.factor(toString(part), part));
    return factors;
}

double total(const std::vector<Factor>& factors)
{
    return std::accumulate(factors.begin(), factors.end(), 0.0,
                           [](double sum, const Factor& factor) { return sum + factor.value; });
}

Derivation deriveSum(const Source& source, const NumberRef& number)
{
    const std::vector<Factor> over = factorsOf(source, number.over);
    const double divisor = over.empty() ? 1.0 : total(over);
    const double scale = divisor != 0.0 ? number.scale / divisor : 0.0;
    std::vector<Term> terms;
    for (Factor& part : factorsOf(source, number.parts)) {
        if (scale == 1.0)
            terms.push_back(product({std::move(part)}));
        else
            terms.push_back(product({std::move(part), Source::constant("scale", scale)}));
    }
    Derivation result = sum(number.name, std::move(terms));
    result.formula = over.empty() ? "scale * sum" : "scale * sum / sum over all";
    if (scale == 1.0)
        result.formula = "sum";
    if (!over.empty())
        result.constants.push_back(Source::constant("sum over all", divisor));
    return result;
}

Derivation deriveProduct(const Source& source, const NumberRef& number)
{
    std::vector<Factor> factors = factorsOf(source, number.parts);
    if (number.scale != 1.0)
        factors.push_back(Source::constant("scale", number.scale));
    return sum("product", {product(std::move(factors))});
}

Derivation deriveLength(const Source& source, const NumberRef& number)
{
    std::vector<Term> terms;
    for (const Factor& part : factorsOf(source, number.parts))
        terms.push_back(product({part, part}));
    Derivation result = sum("root of the sum of squares", std::move(terms));
    result.constants.push_back(Source::constant("sum of squares", result.recomputed));
    result.recomputed = std::sqrt(result.recomputed);
    return result;
}

/// Largest score of the row of a score.
double largestScore(const Source& source, const NumberRef& number)
{
    source.activation(number.key, number.index); // throws for a cell that does not exist
    return std::ranges::max(source.scoreRow(number.key, number.index[0], number.index[1]));
}

Derivation deriveExponential(const Source& source, const NumberRef& number)
{
    const double largest = largestScore(source, number);
    Term term{{source.at("score", number.key, number.index)}, 0.0};
    term.value = std::exp(term.factors.front().value - largest);
    Derivation result = sum("exp(score - largest)", {std::move(term)});
    result.constants.push_back(Source::constant("largest score", largest));
    return result;
}

Derivation deriveLensLogit(const Source& source, const NumberRef& number)
{
    const std::int64_t token = number.index.at(0);
    const NumberRef hidden = source.config.hasFinalNorm()
                                 ? NumberRef{Kind::Normed, number.key, "ln_f", {token, 0}}
                                 : NumberRef{Kind::Activation, number.key, {}, {token, 0}};
    Derivation result = unembedding(source, number.index.at(1), hidden);
    if (result.end.empty())
        result.formula = "final norm, then " + result.formula;
    return result;
}

std::vector<double> exponentialsOf(const std::vector<double>& logits, double largest)
{
    std::vector<double> result;
    for (const double logit : logits)
        result.push_back(std::exp(logit - largest));
    return result;
}

double probabilityOf(const Source& source, const NumberRef& number)
{
    const std::vector<double> logits = source.logitsOf(number);
    const auto id = static_cast<std::size_t>(number.index.at(1));
    if (number.index[1] < 0 || id >= logits.size())
        throw ShapeError(fmt::format("token id {} of {}", number.index[1], logits.size()),
                         "derive");
    const std::vector<double> parts = exponentialsOf(logits, *std::ranges::max_element(logits));
    return parts[id] / std::accumulate(parts.begin(), parts.end(), 0.0);
}

/// The ids with the largest logits, including the requested one.
std::vector<std::size_t> shownIds(const std::vector<double>& logits, std::size_t asked)
{
    std::vector<std::size_t> ids(logits.size());
    std::iota(ids.begin(), ids.end(), std::size_t{0});
    if (ids.size() <= kShownLogits)
        return ids;
    std::partial_sort(ids.begin(), ids.begin() + kShownLogits, ids.end(),
                      [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
    ids.resize(kShownLogits);
    if (std::ranges::find(ids, asked) == ids.end())
        ids.back() = asked;
    return ids;
}

Derivation deriveProbability(const Source& source, const NumberRef& number)
{
    const std::vector<double> logits = source.logitsOf(number);
    const double largest = *std::ranges::max_element(logits);
    const std::vector<double> parts = exponentialsOf(logits, largest);
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
    const auto id = static_cast<std::size_t>(number.index.at(1));
    Derivation result;
    double shown = 0.0;
    const auto logitOf = [&](std::size_t other) {
        const Kind kind = isLens(number) ? Kind::LensLogit : Kind::Activation;
        return Factor{
            fmt::format("logit of id {}", other), logits[other],
            NumberRef{kind, number.key, {}, {number.index[0], static_cast<std::int64_t>(other)}}};
    };
    for (const std::size_t other : shownIds(logits, id)) {
        result.terms.push_back({{logitOf(other)}, parts[other]});
        shown += parts[other];
    }
    if (result.terms.size() < parts.size()) {
        const std::string rest = fmt::format("the other {}", parts.size() - result.terms.size());
        result.terms.push_back(product({Source::constant(rest, all - shown)}));
    }
    result.formula = "exp(logit - largest) / sum over all tokens of exp(logit - largest)";
    result.constants = {logitOf(id), Source::constant("largest logit", largest),
                        Source::constant("sum of exponentials", all)};
    result.recomputed = parts.at(id) / all;
    return result;
}

/// f_ij = sum over heads of A_hij v_hj W_O^h (Kobayashi et al. 2020, section 3).
Derivation deriveContribution(const Source& source, const NumberRef& number)
{
    const TraceKey patterns{Site::Pattern, number.key.layer, number.key.stack};
    const TraceKey vectors{Site::Value, number.key.layer, number.key.stack};
    const auto pattern = source.trace.shapeOf(patterns);
    const auto values = source.trace.shapeOf(vectors);
    if (!pattern || !values)
        return ends("this trace contains no pattern or values");
    if (source.config.normsOutput() || source.config.residualScale != 1.0)
        return ends("a norm or a factor follows the output of the heads");
    const auto [query, key, channel] =
        std::tuple(number.index.at(0), number.index.at(1), number.index.at(2));
    const std::int64_t heads = (*pattern)[0];
    const std::int64_t width = (*values)[2];
    const std::string output = source.prefix(number.key) + ".attn.o.weight";
    std::vector<Term> terms;
    for (std::int64_t head = 0; head < heads; ++head) {
        const Factor weight =
            source.at(fmt::format("pattern of head {}", head), patterns, {head, query, key});
        const std::int64_t keyHead = head * (*values)[1] / heads;
        for (std::int64_t inner = 0; inner < width; ++inner)
            terms.push_back(product(
                {weight, source.at(fmt::format("v[{}]", inner), vectors, {key, keyHead, inner}),
                 source.weight("W_O", output, {channel, head * width + inner})}));
    }
    return sum("sum over heads and channels of pattern v W_O", std::move(terms));
}

/// Sinusoidal position (Vaswani et al. 2017, section 3.5).
Derivation deriveSinusoid(const NumberRef& number)
{
    const auto position = static_cast<double>(number.index.at(0));
    const std::int64_t dimension = number.index.at(1);
    const std::int64_t pair = dimension / 2;
    const double frequency = std::pow(number.scale, -2.0 * static_cast<double>(pair) /
                                                        static_cast<double>(number.index.at(2)));
    const bool isSine = dimension % 2 == 0;
    Term term{{Source::constant("p", position), Source::constant("1 / N^(2i/d)", frequency)}, 0.0};
    term.value = isSine ? std::sin(position * frequency) : std::cos(position * frequency);
    Derivation result = sum(isSine ? "sin(p / N^(2i/d))" : "cos(p / N^(2i/d))", {std::move(term)});
    result.constants = {Source::constant("N", number.scale),
                        Source::constant("i", static_cast<double>(pair)),
                        Source::constant("d", static_cast<double>(number.index.at(2)))};
    return result;
}

} // namespace

double valueOfMade(const Source& source, const NumberRef& number)
{
    switch (number.kind) {
    case Kind::Sum:
        return deriveSum(source, number).recomputed;
    case Kind::Product:
        return deriveProduct(source, number).recomputed;
    case Kind::Length:
        return deriveLength(source, number).recomputed;
    case Kind::Exponential:
        return std::exp(source.activation(number.key, number.index) - largestScore(source, number));
    case Kind::LensLogit: {
        const std::vector<double> logits = source.logitsOf(number);
        if (number.index.at(1) < 0 || number.index[1] >= std::ssize(logits))
            throw ShapeError(fmt::format("token id {}", number.index[1]), "derive");
        return logits[static_cast<std::size_t>(number.index[1])];
    }
    case Kind::Probability:
        return probabilityOf(source, number);
    case Kind::Contribution:
        return source.contribution(number);
    case Kind::Sinusoid:
        return deriveSinusoid(number).recomputed;
    default:
        return 0.0;
    }
}

Derivation deriveMade(const Source& source, const NumberRef& number)
{
    switch (number.kind) {
    case Kind::Sum:
        return deriveSum(source, number);
    case Kind::Product:
        return deriveProduct(source, number);
    case Kind::Length:
        return deriveLength(source, number);
    case Kind::Exponential:
        return deriveExponential(source, number);
    case Kind::LensLogit:
        return deriveLensLogit(source, number);
    case Kind::Probability:
        return deriveProbability(source, number);
    case Kind::Contribution:
        return deriveContribution(source, number);
    default:
        return deriveSinusoid(number);
    }
}

} // namespace headscope::derive_detail
