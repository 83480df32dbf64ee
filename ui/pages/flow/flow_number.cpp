#include "ui/pages/flow/flow_number.h"

#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/widgets/tr.h"

namespace headscope::ui {

namespace {

struct Place
{
    const Trace& trace;
    Stack stack = Stack::Blocks;
    int layer = 0;

    TraceKey key(Site site) const { return {site, layer, stack}; }

    std::int64_t keyCount() const
    {
        const auto& tokens = stack == Stack::Encoder ? trace.sourceTokens() : trace.tokens();
        return static_cast<std::int64_t>(tokens.size());
    }
};

std::vector<NumberRef> weightsOf(const Place& place, std::int64_t query, std::int64_t key)
{
    const int heads = place.trace.headsOf(place.key(Site::Pattern));
    std::vector<NumberRef> weights;
    for (int head = 0; head < heads; ++head)
        weights.push_back(cellNumber(place.key(Site::Pattern), {head, query, key}));
    return weights;
}

/// Row-normalised share * mean over heads + (1 - share) * [query = key].
NumberRef mixedNumber(const Place& place, double fraction, std::int64_t query, std::int64_t key)
{
    const std::int64_t keys = place.keyCount();
    std::vector<NumberRef> own = weightsOf(place, query, key);
    const double each = fraction / static_cast<double>(own.size());
    NumberRef attention =
        sumNumber(tr("attention of all heads, %1").arg(fraction), std::move(own), each);
    std::vector<NumberRef> parts{std::move(attention)};
    std::vector<NumberRef> all;
    for (std::int64_t other = 0; other < keys; ++other)
        for (NumberRef& weight : weightsOf(place, query, other))
            all.push_back(std::move(weight));
    std::vector<NumberRef> over{sumNumber(tr("attention of the row"), std::move(all), each)};
    const NumberRef residual = constantNumber(tr("residual stream"), 1.0 - fraction);
    if (query == key && fraction < 1.0)
        parts.push_back(residual);
    if (fraction < 1.0)
        over.push_back(residual);
    return sumNumber(
        tr("weight of token %1 in token %2, layer %3").arg(key).arg(query).arg(place.layer),
        std::move(parts), 1.0, std::move(over));
}

NumberRef lengthOf(const QString& name, std::vector<NumberRef> channels)
{
    NumberRef length = sumNumber(name, std::move(channels));
    length.kind = NumberRef::Kind::Length;
    return length;
}

/// Length of a token's vector, or of the stream, divided by the sum of all those lengths.
NumberRef lengthFraction(const Place& place, std::int64_t query, std::int64_t key)
{
    const std::int64_t width = (*place.trace.shapeOf(place.key(Site::ResidPre)))[1];
    const std::int64_t keys = place.keyCount();
    const auto added = [&](std::int64_t from) {
        std::vector<NumberRef> channels;
        for (std::int64_t channel = 0; channel < width; ++channel) {
            channels.push_back(cellNumber(place.key(Site::AttnOut), {query, from, channel}));
            channels.back().kind = NumberRef::Kind::Contribution;
        }
        return lengthOf(tr("length of the vector from token %1").arg(from), std::move(channels));
    };
    std::vector<NumberRef> channels;
    for (std::int64_t channel = 0; channel < width; ++channel)
        channels.push_back(cellNumber(place.key(Site::ResidPre), {query, channel}));
    const NumberRef stream = lengthOf(tr("length of the stream"), std::move(channels));
    std::vector<NumberRef> parts{added(key)};
    if (query == key)
        parts.push_back(stream);
    std::vector<NumberRef> over{stream};
    for (std::int64_t other = 0; other < keys; ++other)
        over.push_back(added(other));
    return sumNumber(
        tr("weight of token %1 in token %2, layer %3").arg(key).arg(query).arg(place.layer),
        std::move(parts), 1.0, std::move(over));
}

QString obstacle(const FlowOptions& options, const FlowContent& content, const Place& place)
{
    constexpr int kMostTokens = 128; // Limit of tokens: a contribution has all of them as operands.
    if (options.renormalise)
        return tr("Weights without the weak edges are renormalised. Keep weak edges to trace one.");
    if (content.isRenormalised)
        return tr("Weights without %1 are renormalised. Show all tokens to trace one.")
            .arg(content.hidden);
    if (options.mode > FlowMode::Contribution)
        return tr("An attribution depends on the whole forward pass. Choose "
                  "\u201CAttention\u201D or \u201CRollout\u201D to trace a weight.");
    if (options.mode != FlowMode::Contribution)
        return {};
    if (options.measure == ContributionMeasure::Distance)
        return tr("The distance compares whole vectors. Choose \u201CLength\u201D to trace it.");
    if (!place.trace.has(place.key(Site::ResidPre)))
        return tr("This trace does not contain the residual stream.");
    return content.tokens.size() > kMostTokens
               ? tr("Above %1 tokens a contribution has too many operands to list.")
                     .arg(kMostTokens)
               : QString();
}

} // namespace

MaybeNumber flowEdgeNumber(const ViewSnapshot& view, const FlowOptions& options,
                           const FlowContent& content, const FlowEdge& edge, QString* why)
{
    const Variant variant = variantOf(view);
    const TracePtr& trace = view.trace(variant);
    if (!trace || edge.to >= static_cast<int>(content.tokens.size()) ||
        edge.from >= static_cast<int>(content.tokens.size()))
        return std::nullopt;
    const Place place{*trace, flowStack(view), edge.layer};
    if (trace->headsOf(place.key(Site::Pattern)) == 0)
        return std::nullopt;
    *why = obstacle(options, content, place);
    if (!why->isEmpty())
        return std::nullopt;
    const auto& queries = content.tokens[static_cast<std::size_t>(edge.to)];
    const double fraction =
        options.mode == FlowMode::Rollout ? 1.0 - rolloutRule(view, variant).residual : 1.0;
    std::vector<NumberRef> parts;
    for (const int query : queries)
        for (const int key : content.tokens[static_cast<std::size_t>(edge.from)])
            parts.push_back(options.mode == FlowMode::Contribution
                                ? lengthFraction(place, query, key)
                                : mixedNumber(place, fraction, query, key));
    if (parts.size() == 1)
        return ShownNumber{std::move(parts.front()), variant};
    return ShownNumber{sumNumber(tr("weight of a word in a word, layer %1").arg(edge.layer),
                                 std::move(parts), 1.0 / static_cast<double>(queries.size())),
                       variant};
}

} // namespace headscope::ui
