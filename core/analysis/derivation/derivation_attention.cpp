#include "core/analysis/derivation/derivation_attention.h"

#include "core/analysis/derivation/derivation_terms.h"
#include "core/analysis/lens/frozen_norm.h"
#include "core/model/positions/position_encodings.h"
#include "core/ops/relative_bias.h"
#include "core/ops/rope.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope::derive_detail {

namespace {

bool isCross(Site site)
{
    return site >= Site::CrossQuery && site <= Site::ResidMidCross;
}

TraceKey sibling(TraceKey key, Site self, Site cross)
{
    return {isCross(key.site) ? cross : self, key.layer, key.stack};
}

std::int64_t keyHeadOf(const Source& source, TraceKey keys, std::int64_t head)
{
    return head * (*source.trace.shapeOf(keys))[1] / source.config.heads;
}

/// Vectors that scores are computed from: the rotated ones with rotary positions.
TraceKey turnedOr(const Source& source, Site turned, TraceKey plain)
{
    const TraceKey key{turned, plain.layer, plain.stack};
    return !isCross(plain.site) && source.has(key) ? key : plain;
}

Derivation derivePattern(const Source& source, const NumberRef& number)
{
    const TraceKey scores = sibling(number.key, Site::AttnScores, Site::CrossScores);
    if (!source.has(scores))
        return ends("this trace contains no scores");
    const auto [head, query, key] =
        std::tuple(number.index.at(0), number.index.at(1), number.index.at(2));
    const std::vector<double>& row = source.scoreRow(scores, head, query);
    const std::string sinks = source.prefix(number.key) + ".attn.sinks.bias";
    const bool hasSink = !isCross(number.key.site) && source.hasParameter(sinks);
    const double sink = hasSink ? source.parameter(sinks, {head}) : 0.0;
    double largest = std::ranges::max(row);
    if (hasSink)
        largest = std::max(largest, sink);
    Derivation result;
    result.formula = hasSink ? "exp(score - largest) / sum over keys and the sink of exp(... - "
                               "largest)"
                             : "exp(score - largest) / sum over keys of exp(score - largest)";
    double total = 0.0;
    if (hasSink) {
        total = std::exp(sink - largest);
        result.terms.push_back({{source.weight("logit of the sink", sinks, {head})}, total});
    }
    for (std::int64_t other = 0; other < std::ssize(row); ++other) {
        const double exponential = std::exp(row[static_cast<std::size_t>(other)] - largest);
        if (exponential == 0.0)
            continue; // hidden by the mask
        total += exponential;
        result.terms.push_back(
            {{source.at(fmt::format("score of key {}", other), scores, {head, query, other})},
             exponential});
    }
    result.constants = {source.at("score", scores, {head, query, key}),
                        Source::constant("largest score", largest),
                        Source::constant("sum of exponentials", total)};
    result.recomputed =
        total > 0.0 ? std::exp(row[static_cast<std::size_t>(key)] - largest) / total : 0.0;
    return result;
}

/// Terms that positions add to a score.
std::vector<Term> positionTerms(const Source& source, const NumberRef& number)
{
    std::vector<Term> terms;
    const std::int64_t head = number.index[0];
    const std::int64_t distance = number.index[2] - number.index[1];
    if (isCross(number.key.site))
        return terms;
    if (source.positions == Positions::Alibi) {
        const double slope =
            double{encodingOf(Positions::Alibi).slopes(source.config).view()(head)};
        terms.push_back(product({Source::constant("slope", slope),
                                 Source::constant("key - query", static_cast<double>(distance))}));
    }
    const std::string table = number.key.stack == Stack::Blocks    ? "rel_bias.weight"
                              : number.key.stack == Stack::Encoder ? "enc.rel_bias.weight"
                                                                   : "dec.rel_bias.weight";
    if (source.positions == Positions::RelativeBuckets && source.hasParameter(table)) {
        const bool bothWays = number.key.stack == Stack::Encoder || !source.config.hasDecoder();
        const RelativeBuckets buckets{source.config.relativeBuckets,
                                      source.config.relativeMaxDistance, bothWays};
        terms.push_back(product(
            {source.weight("relative-position bias", table, {buckets.bucketOf(distance), head})}));
    }
    return terms;
}

Derivation deriveScore(const Source& source, const NumberRef& number)
{
    const auto [head, query, key] =
        std::tuple(number.index.at(0), number.index.at(1), number.index.at(2));
    const TraceKey queries =
        turnedOr(source, Site::RotatedQuery, sibling(number.key, Site::Query, Site::CrossQuery));
    TraceKey keys = sibling(number.key, Site::Key, Site::CrossKey);
    if (!source.config.isLatent()) // a latent head's key already includes its rotated part
        keys = turnedOr(source, Site::RotatedKey, keys);
    const auto vectors = source.trace.shapeOf(queries);
    if (!vectors || !source.has(keys))
        return ends("this trace contains no queries and keys");
    if (std::isinf(source.value(number)))
        return ends("hidden by the mask");
    const std::int64_t width = (*vectors)[2];
    const double scale = source.config.scoreScale();
    const Factor scaling = Source::constant("scale", scale);
    std::vector<Term> terms;
    double dot = 0.0;
    for (std::int64_t channel = 0; channel < width; ++channel) {
        const Factor q = source.at(fmt::format("q[{}]", channel), queries, {query, head, channel});
        const Factor k = source.at(fmt::format("k[{}]", channel), keys,
                                   {key, keyHeadOf(source, keys, head), channel});
        terms.push_back(product({q, k, scaling}));
        dot += q.value * k.value;
    }
    const double cap = source.config.softCap;
    const double scaled = dot * scale;
    const double capped = cap > 0.0 ? cap * std::tanh(scaled / cap) : scaled;
    Derivation result;
    result.formula = cap > 0.0 ? "cap tanh(q.k scale / cap)" : "q.k scale";
    result.terms = std::move(terms);
    result.constants = {Source::constant("q.k", dot), scaling};
    if (cap > 0.0)
        result.constants.push_back(Source::constant("cap", cap));
    result.recomputed = capped;
    for (Term& term : positionTerms(source, number)) {
        result.formula = result.formula + " + position";
        result.recomputed += term.value;
        result.terms.push_back(std::move(term));
    }
    return result;
}

Derivation deriveContext(const Source& source, const NumberRef& number)
{
    const auto [token, head, channel] =
        std::tuple(number.index.at(0), number.index.at(1), number.index.at(2));
    const TraceKey pattern = sibling(number.key, Site::Pattern, Site::CrossPattern);
    const TraceKey values = sibling(number.key, Site::Value, Site::CrossValue);
    if (!source.has(pattern) || !source.has(values))
        return ends("this trace contains no pattern or values");
    const std::int64_t keyHead = keyHeadOf(source, values, head);
    std::vector<Term> terms;
    for (std::int64_t key = 0; key < (*source.trace.shapeOf(values))[0]; ++key)
        terms.push_back(
            product({source.at(fmt::format("pattern of key {}", key), pattern, {head, token, key}),
                     source.at(fmt::format("v of key {}", key), values, {key, keyHead, channel})}));
    return sum("sum over keys of pattern v", std::move(terms));
}

RopeTable tableOf(const Source& source, int layer, std::int64_t tokens)
{
    RopeSettings settings = source.replaced ? RopeSettings() : source.config.layer(layer).rope;
    if (source.replaced)
        settings.theta = source.base;
    if (settings.originalMaxLen == 0)
        settings.originalMaxLen = source.config.maxLen;
    const std::int64_t turning = source.config.ropeDimensions() > 0 ? source.config.ropeDimensions()
                                                                    : source.config.queryDim();
    return {settings, turning, tokens, tokens};
}

/// What a norm of queries or keys does to each channel of one vector: y = factor x + shift.
struct HeadNorm
{
    std::vector<double> factor;
    std::vector<double> shift;
};

HeadNorm headNorm(const Source& source, const NumberRef& number, TraceKey plain)
{
    const auto [token, head] = std::pair(number.index.at(0), number.index.at(1));
    const ActivationRows rows = source.trace.findRows(plain, token);
    const TensorView all = rows.view;
    const std::int64_t width = all.shape[2];
    const ModelConfig& config = source.config;
    HeadNorm norm{std::vector<double>(static_cast<std::size_t>(width), 1.0),
                  std::vector<double>(static_cast<std::size_t>(width))};
    if (config.queryKeyNorm == QueryKeyNorm::None)
        return norm;
    const bool whole = config.queryKeyNorm == QueryKeyNorm::Whole;
    const float* const first = whole ? &all(0, 0, 0) : &all(0, head, 0);
    const std::span<const float> row(
        first, static_cast<std::size_t>(whole ? all.shape[1] * width : width));
    const FrozenNorm frozen = frozenNorm(config, row);
    const bool isQuery = plain.site == Site::Query;
    const std::string name = source.prefix(plain) + (isQuery ? ".attn.q_norm" : ".attn.k_norm");
    const TensorView gamma = source.model.parameters().view(name + ".weight");
    const bool hasBeta = source.hasParameter(name + ".bias");
    const std::int64_t group = config.queryKeyNorm == QueryKeyNorm::PerHead ? 0 : head;
    for (std::int64_t channel = 0; channel < width; ++channel) {
        const std::int64_t at = group * width + channel;
        const double gain = double{gamma.data[at]} + gainOffset(config);
        const auto i = static_cast<std::size_t>(channel);
        norm.factor[i] = gain * frozen.inverseDeviation;
        norm.shift[i] = -norm.factor[i] * frozen.mean;
        if (hasBeta)
            norm.shift[i] += double{source.model.parameters().view(name + ".bias").data[at]};
    }
    return norm;
}

/// One channel after the norm, times a factor.
void addNormed(const HeadNorm& norm, const Factor& channel, std::int64_t index,
               const Factor& factor, std::vector<Term>& terms)
{
    const auto i = static_cast<std::size_t>(index);
    std::vector<Factor> factors{channel, factor};
    if (norm.factor[i] != 1.0)
        factors.insert(factors.begin() + 1, Source::constant("norm", norm.factor[i]));
    terms.push_back(product(std::move(factors)));
    if (norm.shift[i] != 0.0)
        terms.push_back(product({Source::constant("shift of the norm", norm.shift[i]), factor}));
}

Derivation deriveTurned(const Source& source, const NumberRef& number)
{
    const bool isQuery = number.key.site == Site::RotatedQuery;
    const TraceKey plain{isQuery ? Site::Query : Site::Key, number.key.layer, number.key.stack};
    if (!source.has(plain))
        return ends("this trace contains no unrotated vectors");
    const std::int64_t token = number.index.at(0);
    const std::int64_t channel = number.index.at(2);
    const HeadNorm norm = headNorm(source, number, plain);
    const bool rotates = source.positions == Positions::Rope &&
                         (source.replaced || source.config.layer(number.key.layer).rotates);
    std::vector<Term> terms;
    if (!rotates && !source.config.isLatent()) {
        addNormed(norm, source.at("projected", plain, number.index), channel,
                  Source::constant("not rotated", 1.0), terms);
        return sum("norm of the projected vector", std::move(terms));
    }
    const RopeTable table = tableOf(source, number.key.layer, source.tokenCount(number.key));
    const std::int64_t half = table.cosines.shape()[1];
    const std::int64_t first = source.config.isLatent() ? source.config.latent.nopeDim : 0;
    const std::int64_t inside = channel - first;
    if (inside < 0 || inside >= 2 * half) {
        addNormed(norm, source.at("unturned", plain, number.index), channel,
                  Source::constant("not rotated", 1.0), terms);
        return sum("not rotated", std::move(terms));
    }
    const bool interleaved = table.layout == RopeSettings::Layout::Interleaved;
    const std::int64_t pair = interleaved ? inside / 2 : inside % half;
    const bool isSecond = interleaved ? inside % 2 == 1 : inside >= half;
    const std::int64_t partner = first + (interleaved ? inside ^ 1 : (inside + half) % (2 * half));
    const double cosine = double{table.cosines.view()(token, pair)};
    const double sine = double{table.sines.view()(token, pair)};
    std::vector<std::int64_t> other = number.index;
    other[2] = partner;
    const Factor own = source.at("a", plain, number.index);
    const Factor across = source.at("b", plain, other);
    addNormed(norm, own, channel, Source::constant("cos", cosine), terms);
    addNormed(norm, across, partner,
              Source::constant(isSecond ? "sin" : "-sin", isSecond ? sine : -sine), terms);
    return sum(isSecond ? "a cos + b sin" : "a cos - b sin", std::move(terms));
}

Derivation deriveLatentProjection(const Source& source, const NumberRef& number)
{
    const LatentSettings& latent = source.config.latent;
    const std::string prefix = source.prefix(number.key) + ".attn.";
    const auto [token, head, channel] =
        std::tuple(number.index.at(0), number.index.at(1), number.index.at(2));
    if (number.key.site == Site::Query) {
        if (latent.queryRank > 0)
            return ends("through the query latent, which has no site");
        return linear(source, {prefix + "q.weight", {}}, head * source.config.queryDim() + channel,
                      source.sublayerInput(number.key, "ln1", Site::ResidPre, token));
    }
    const bool isValue = number.key.site == Site::Value;
    if (!isValue && channel >= latent.nopeDim)
        return sum(
            "the rotated key shared by all heads",
            {product({source.at("k_rope", {Site::RotaryKey, number.key.layer, number.key.stack},
                                {token, channel - latent.nopeDim})})});
    const std::int64_t row =
        head * (latent.nopeDim + latent.valueDim) + (isValue ? latent.nopeDim : 0) + channel;
    return linear(source, {prefix + "kv_up.weight", {}}, row,
                  {NumberRef::Kind::Activation,
                   {Site::Latent, number.key.layer, number.key.stack},
                   {},
                   {token, 0}});
}

Derivation deriveProjection(const Source& source, const NumberRef& number)
{
    if (source.config.isLatent() && !isCross(number.key.site))
        return deriveLatentProjection(source, number);
    const bool cross = isCross(number.key.site);
    const bool isQuery = number.key.site == Site::Query || number.key.site == Site::CrossQuery;
    const bool isKey = number.key.site == Site::Key || number.key.site == Site::CrossKey;
    const std::string name = source.prefix(number.key) + (cross ? ".cross." : ".attn.") +
                             (isQuery ? "q"
                              : isKey ? "k"
                                      : "v");
    const std::int64_t token = number.index.at(0);
    const std::int64_t width =
        isQuery || isKey ? source.config.queryDim() : source.config.valueDim();
    const std::int64_t row = number.index.at(1) * width + number.index.at(2);
    NumberRef input = source.sublayerInput(number.key, "ln1", Site::ResidPre, token);
    if (cross && isQuery) {
        input = source.sublayerInput(number.key, "ln_cross", Site::ResidMid, token);
    } else if (cross) { // the encoder's output
        const auto last = static_cast<int>(source.config.layers) - 1;
        const bool normed = source.config.hasFinalNorm();
        const TraceKey memory = normed ? TraceKey{Site::LnFinal, 0, Stack::Encoder}
                                       : TraceKey{Site::ResidPost, last, Stack::Encoder};
        input = {NumberRef::Kind::Activation, memory, {}, {token, 0}};
    }
    return linear(source, {name + ".weight", name + ".bias"}, row, input);
}

} // namespace

Derivation deriveAttention(const Source& source, const NumberRef& number)
{
    switch (number.key.site) {
    case Site::Pattern:
    case Site::CrossPattern:
        return derivePattern(source, number);
    case Site::AttnScores:
    case Site::CrossScores:
        return deriveScore(source, number);
    case Site::Z:
    case Site::CrossZ:
        return deriveContext(source, number);
    case Site::RotatedQuery:
    case Site::RotatedKey:
        return deriveTurned(source, number);
    default:
        return deriveProjection(source, number);
    }
}

} // namespace headscope::derive_detail
