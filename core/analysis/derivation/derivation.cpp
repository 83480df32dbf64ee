#include "core/analysis/derivation/derivation.h"

#include "core/analysis/derivation/derivation_attention.h"
#include "core/analysis/derivation/derivation_made.h"
#include "core/analysis/derivation/derivation_source.h"
#include "core/analysis/derivation/derivation_stream.h"
#include "core/analysis/derivation/derivation_terms.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headscope {

std::string toString(const NumberRef& number)
{
    const std::string cell = fmt::format("[{}]", fmt::join(number.index, ", "));
    switch (number.kind) {
    case NumberRef::Kind::Activation:
        return toString(number.key) + cell;
    case NumberRef::Kind::NormInput:
        return "what " + number.name + " reads" + cell;
    case NumberRef::Kind::Constant:
    case NumberRef::Kind::Sum:
    case NumberRef::Kind::Product:
    case NumberRef::Kind::Length:
        return number.name;
    case NumberRef::Kind::Exponential:
        return "exp of " + toString(number.key) + cell;
    case NumberRef::Kind::LensLogit:
        return "logit of " + toString(number.key) + cell;
    case NumberRef::Kind::Probability:
        return "probability of " + toString(number.key) + cell;
    case NumberRef::Kind::Contribution:
        return "contribution to " + toString(number.key) + cell;
    case NumberRef::Kind::Sinusoid:
        return fmt::format("PE({}, {})", number.index.at(0), number.index.at(1));
    case NumberRef::Kind::Parameter:
    case NumberRef::Kind::Normed:
        break;
    }
    return number.name + cell;
}

bool Derivation::agrees(double tolerance) const
{
    if (!end.empty() || recorded == recomputed)
        return true;
    return std::abs(recorded - recomputed) <= tolerance * std::max(1.0, std::abs(recorded));
}

Derivation derive(const Trace& trace, const Model& model, const NumberRef& number)
{
    using namespace derive_detail;
    const Source source(trace, model);
    const double recorded = source.value(number);
    const auto way = [&]() -> Derivation {
        switch (number.kind) {
        case NumberRef::Kind::Parameter:
            return ends("a weight, learned in training");
        case NumberRef::Kind::Constant:
            return ends("a constant");
        case NumberRef::Kind::NormInput: {
            std::vector<Term> terms;
            for (Factor& part : source.normSummands(number))
                terms.push_back(product({std::move(part)}));
            return sum("sum", std::move(terms));
        }
        case NumberRef::Kind::Normed:
            return deriveNorm(source, number);
        case NumberRef::Kind::Activation:
            break;
        default:
            return deriveMade(source, number);
        }
        return hasHeads(number.key.site) ? deriveAttention(source, number)
                                         : deriveStream(source, number);
    };
    Derivation result;
    try {
        result = way();
    } catch (const ShapeError&) {
        throw;
    } catch (const Error& error) { // a site that this trace did not retain
        result = ends(error.what());
    }
    result.of = number;
    result.recorded = recorded;
    if (!result.end.empty())
        result.recomputed = recorded;
    return result;
}

} // namespace headscope
