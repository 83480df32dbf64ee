#include "core/analysis/derivation/derivation.h"

#include "core/analysis/derivation/derivation_source.h"
#include "core/base/error.h"
#include "core/model/config/mask_choice.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace headscope {

namespace derive_detail {

namespace {

double cellOf(TensorView view, const std::vector<std::int64_t>& index, const std::string& name)
{
    bool inside = static_cast<int>(index.size()) == view.shape.rank();
    for (std::size_t axis = 0; inside && axis < index.size(); ++axis)
        inside = index[axis] >= 0 && index[axis] < view.shape[static_cast<int>(axis)];
    if (!inside)
        throw ShapeError(
            fmt::format("cell [{}] in {} {}", fmt::join(index, ", "), name, view.shape.toString()),
            "derive");
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
        offset = offset * view.shape[static_cast<int>(axis)] + index[axis];
    return double{view.data[offset]};
}

/// The residual stream, at whichever place.
bool isStream(Site site)
{
    return site == Site::ResidPre || site == Site::ResidMid || site == Site::ResidMidCross ||
           site == Site::ResidPost;
}

struct Moments
{
    double mean = 0.0;
    double inverseDeviation = 0.0;
};

Moments momentsOf(const std::vector<double>& x, NormKind kind, double epsilon)
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

} // namespace

Source::Source(const Trace& shown, const Model& loaded)
    : trace(shown)
    , model(loaded)
    , config(loaded.config())
    , positions(config.positions)
    , base(config.positions == Positions::Rope ? config.rope.theta : config.sinusoidalBase)
{
    const auto settings = nlohmann::json::parse(trace.info().settings, nullptr, false);
    if (!settings.is_object() || !settings.contains("positions"))
        return;
    const PositionsChoice choice = parsePositions(settings["positions"].get<std::string>());
    positions = choice.kind;
    base = choice.base;
    replaced = true;
}

bool Source::hasParameter(const std::string& name) const
{
    const auto& specs = model.parameters().specs();
    return std::any_of(specs.begin(), specs.end(),
                       [&name](const ParameterSpec& spec) { return spec.name == name; });
}

double Source::activation(TraceKey key, const std::vector<std::int64_t>& index) const
{
    const auto tensor = trace.find(key);
    if (!tensor)
        throw Error("the trace does not hold " + toString(key), "derive",
                    "Trace the text again with every site");
    return cellOf(tensor->view(), index, toString(key));
}

double Source::parameter(const std::string& name, const std::vector<std::int64_t>& index) const
{
    return cellOf(model.parameters().view(name), index, name);
}

double Source::value(const NumberRef& number) const
{
    switch (number.kind) {
    case NumberRef::Kind::Activation:
        return activation(number.key, number.index);
    case NumberRef::Kind::Parameter:
        return parameter(number.name, number.index);
    case NumberRef::Kind::NormInput: {
        double total = 0.0;
        for (const Factor& part : normSummands(number))
            total += part.value;
        return total;
    }
    case NumberRef::Kind::Normed:
        return deriveNorm(*this, number).recomputed;
    case NumberRef::Kind::Constant:
        return number.scale;
    default:
        break;
    }
    return valueOfMade(*this, number);
}

Factor Source::factor(const std::string& name, NumberRef of) const
{
    const double known = value(of);
    return {name, known, std::move(of)};
}

Factor Source::at(const std::string& name, TraceKey key, std::vector<std::int64_t> index) const
{
    return factor(name, {NumberRef::Kind::Activation, key, {}, std::move(index)});
}

Factor Source::weight(const std::string& name, const std::string& parameterName,
                      std::vector<std::int64_t> index) const
{
    return factor(name, {NumberRef::Kind::Parameter, {}, parameterName, std::move(index)});
}

Factor Source::constant(const std::string& name, double value)
{
    NumberRef of{NumberRef::Kind::Constant, {}, name, {}};
    of.scale = value;
    return {name, value, std::move(of)};
}

std::string Source::prefix(TraceKey key) const
{
    const char* const name =
        key.stack == Stack::Blocks ? "h" : (key.stack == Stack::Encoder ? "enc" : "dec");
    return fmt::format("{}.{}", name, key.layer);
}

std::int64_t Source::tokenCount(TraceKey key) const
{
    return static_cast<std::int64_t>(key.stack == Stack::Encoder ? trace.sourceTokens().size()
                                                                 : trace.tokens().size());
}

std::vector<Factor> Source::normSummands(const NumberRef& input) const
{
    const std::string& norm = input.name;
    const std::int64_t token = input.index.at(0);
    const std::int64_t channel = input.index.at(1);
    const auto ending = [&norm](std::string_view end) { return norm.ends_with(end); };
    const TraceKey place = input.key;
    const auto site = [&](Site which) { return TraceKey{which, place.layer, place.stack}; };
    const bool pre = config.normPosition == NormPosition::Pre;
    std::vector<std::pair<const char*, TraceKey>> parts;
    if (ending("ln_emb")) {
        const Stack stack = place.stack == Stack::Encoder ? Stack::Encoder : Stack::Blocks;
        parts = {{"embedding", {Site::Embed, 0, stack}}, {"position", {Site::PosEmbed, 0, stack}}};
    } else if (ending("ln_f") && isStream(place.site)) { // a lens
        parts = {{"x", place}};
    } else if (ending("ln_f")) {
        const bool decoder = config.isEncoderDecoder() && place.stack != Stack::Encoder;
        const auto layers = static_cast<int>(decoder ? config.decoderLayerCount() : config.layers);
        parts = {{"x", {Site::ResidPost, layers - 1, decoder ? Stack::Decoder : place.stack}}};
        if (layers == 0)
            parts = {{"embedding", {Site::Embed, 0, decoder ? Stack::Blocks : place.stack}},
                     {"position", {Site::PosEmbed, 0, decoder ? Stack::Blocks : place.stack}}};
    } else if (ending("ln1")) {
        parts = {{"x", site(Site::ResidPre)}};
        if (!pre)
            parts.push_back({"attention", site(Site::AttnOut)});
    } else if (ending("ln_cross")) {
        parts = {{"x", site(Site::ResidMid)}};
        if (!pre)
            parts.push_back({"cross-attention", site(Site::CrossOut)});
    } else {
        const bool crosses = place.stack == Stack::Decoder;
        const bool parallel = config.parallelResidual && pre;
        parts = {{"x", site(parallel  ? Site::ResidPre
                            : crosses ? Site::ResidMidCross
                                      : Site::ResidMid)}};
        if (!pre)
            parts.push_back({"feed-forward", site(Site::MlpOut)});
    }
    std::vector<Factor> summands;
    for (const auto& [name, key] : parts) {
        if (has(key))
            summands.push_back(at(name, key, {token, channel}));
    }
    if (parts.front().second.site == Site::Embed && hasParameter("type_emb.weight"))
        summands.push_back(weight("segment 0", "type_emb.weight", {0, channel}));
    return summands;
}

std::vector<double> Source::normInputRow(const NumberRef& norm) const
{
    std::vector<double> row;
    NumberRef input = norm;
    input.kind = NumberRef::Kind::NormInput;
    for (std::int64_t channel = 0; channel < config.dModel; ++channel) {
        input.index[1] = channel;
        row.push_back(value(input));
    }
    return row;
}

NumberRef Source::sublayerInput(TraceKey key, const char* norm, Site stream,
                                std::int64_t token) const
{
    if (config.normPosition == NormPosition::Pre)
        return {NumberRef::Kind::Normed, key, prefix(key) + "." + norm, {token, 0}};
    return {NumberRef::Kind::Activation, {stream, key.layer, key.stack}, {}, {token, 0}};
}

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
    // A norm's row is computed once, not once a channel.
    const bool normed = input.kind == NumberRef::Kind::Normed;
    std::vector<double> x;
    std::optional<Moments> moments;
    if (normed) {
        x = source.normInputRow(input);
        moments = momentsOf(x, source.config.norm, source.config.normEpsilon);
    }
    const bool offset = source.config.norm == NormKind::RmsUnitOffset;
    const bool beta = normed && source.hasParameter(input.name + ".bias");
    std::vector<Term> terms;
    for (std::int64_t channel = 0; channel < width; ++channel) {
        NumberRef cell = input;
        cell.index.back() = channel;
        Factor in{fmt::format("x[{}]", channel), 0.0, cell};
        if (normed) {
            const double gamma = source.parameter(input.name + ".weight", {channel});
            in.value = (x[static_cast<std::size_t>(channel)] - moments->mean) *
                           moments->inverseDeviation * (offset ? 1.0 + gamma : gamma) +
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
    const std::vector<double> row = source.normInputRow(number);
    const NormKind kind = source.config.norm;
    const Moments moments = momentsOf(row, kind, source.config.normEpsilon);
    const std::int64_t channel = number.index.at(1);
    NumberRef input = number;
    input.kind = NumberRef::Kind::NormInput;
    const Factor x{"x", row.at(static_cast<std::size_t>(channel)), input};
    const Factor gamma = source.weight("gamma", number.name + ".weight", {channel});
    const Factor deviation = Source::constant("1 / deviation", moments.inverseDeviation);
    Derivation result;
    const bool centred = kind == NormKind::Layer || kind == NormKind::StdEps;
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

} // namespace derive_detail

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
            return ends("a weight: training found it");
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
    } catch (const Error& error) { // a site that this trace did not keep
        result = ends(error.what());
    }
    result.of = number;
    result.recorded = recorded;
    if (!result.end.empty())
        result.recomputed = recorded;
    return result;
}

} // namespace headscope
