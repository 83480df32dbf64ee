#include "core/analysis/heads/head_likeness.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::size_t kMostClusters = 8; // as many as there are hues

/// Mean distance up to which clusters are merged: a fifth of the largest possible.
constexpr double kAlike = 0.2 * 0.6931471805599453;

Tensor meanDistances(const HeadDistances& distances)
{
    const std::size_t heads = distances.heads.size();
    Tensor means({static_cast<std::int64_t>(heads), static_cast<std::int64_t>(heads)});
    for (std::size_t a = 0; a < heads; ++a)
        for (std::size_t b = 0; b < heads; ++b)
            means.view()(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)) =
                static_cast<float>(distances.mean(a, b));
    return means;
}

std::size_t clustersAlike(const std::vector<ClusterMerge>& merges)
{
    const auto apart = std::ranges::count_if(
        merges, [](const ClusterMerge& merge) { return merge.distance > kAlike; });
    return std::min(static_cast<std::size_t>(apart) + 1, kMostClusters);
}

void addReadings(std::vector<HeadWeights::Reading>& readings, const ComposedPair& pair,
                 const CompositionBaseline& baseline)
{
    const Composition above = pair.minus(baseline);
    for (const auto& [way, value] :
         {std::pair{'Q', above.query}, {'K', above.key}, {'V', above.value}})
        if (!std::isnan(value))
            readings.push_back({pair.earlier, way, value});
}

} // namespace

std::optional<std::size_t> HeadLikeness::indexOf(HeadId head) const
{
    return distances.indexOf(head);
}

HeadId HeadLikeness::headAt(std::size_t index) const
{
    return distances.heads.at(index);
}

std::vector<HeadLikeness::Near> HeadLikeness::nearest(HeadId head, std::size_t count) const
{
    std::vector<Near> near;
    const auto from = indexOf(head);
    if (!from)
        return near;
    for (const std::size_t index : nearestHeads(distances, *from, count))
        near.push_back({headAt(index), distances.mean(*from, index)});
    return near;
}

HeadLikenessPtr compareHeads(const TracePtr& trace, AttentionKind attention,
                             const std::stop_token& stop)
{
    auto likeness = std::make_shared<HeadLikeness>();
    likeness->trace = trace;
    likeness->attention = attention;
    if (attention == AttentionKind::Cross) {
        likeness->whyNot = "Heads are compared on their own text; these attend to another.";
        return likeness;
    }
    likeness->distances = headDistances(*trace, stackOf(attention), stop, kLikenessQueries);
    if (likeness->distances.heads.size() < 2) {
        likeness->whyNot = "There is only one head, so there is none to compare it with.";
        likeness->distances = {};
        return likeness;
    }
    const Tensor means = meanDistances(likeness->distances);
    likeness->plane = planeMap(means.view());
    const std::vector<ClusterMerge> merges = joinNearest(means.view());
    likeness->clusterCount = clustersAlike(merges);
    likeness->clusters = clustersOf(merges, likeness->clusterCount);
    return likeness;
}

HeadWeightsPtr readHeadWeights(const Model& model, HeadId head, const std::stop_token& stop,
                               std::size_t mostReadings)
{
    auto weights = std::make_shared<HeadWeights>();
    weights->head = head;
    weights->whyNot = whyNoCircuits(model.config());
    if (!weights->whyNot.empty())
        return weights;
    const HeadMatrices matrices = headMatrices(model, head);
    weights->spectra = circuitSpectra(matrices);
    if (head.attention == AttentionKind::Cross)
        return weights; // reads another stack's residual stream through its keys
    const CompositionBaseline baseline =
        compositionBaseline(matrices.query.shape()[0], matrices.query.shape()[1]);
    weights->baseline = baseline.mean;
    for (const ComposedPair& pair : compositionsInto(model, head, NormGains::AsStored, stop))
        addReadings(weights->readings, pair, baseline);
    std::ranges::stable_sort(weights->readings,
                             [](const auto& a, const auto& b) { return a.above > b.above; });
    weights->readings.resize(std::min(weights->readings.size(), mostReadings));
    return weights;
}

} // namespace headscope
