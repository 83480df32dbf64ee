#include "core/analysis/causal/causal_cone.h"

#include <algorithm>
#include <cstdlib>

namespace headscope {

namespace {

// Stages of one block, in execution order; stages of different branches with the same number are
// distinguished below.
constexpr int kBefore = 0;
constexpr int kOperands = 1; ///< q, k, v and their inputs.
constexpr int kScores = 2;
constexpr int kPattern = 3;
constexpr int kContext = 4;
constexpr int kAttnOut = 5;
constexpr int kMid = 6;
constexpr int kMlp = 13; ///< MLP and its inputs, up to kMlpOut.
constexpr int kMlpOut = 17;
constexpr int kPost = 18;
constexpr int kNowhere = -1; ///< Row of a source.

int stageOf(Site site)
{
    switch (site) {
    case Site::ResidPre:
        return kBefore;
    case Site::Query:
    case Site::Key:
    case Site::Value:
    case Site::Latent:
    case Site::RotaryKey:
    case Site::RotatedQuery:
    case Site::RotatedKey:
        return kOperands;
    case Site::AttnScores:
        return kScores;
    case Site::Pattern:
        return kPattern;
    case Site::Z:
        return kContext;
    case Site::AttnOut:
        return kAttnOut;
    case Site::ResidMid:
        return kMid;
    case Site::CrossQuery:
        return 7;
    case Site::CrossScores:
        return 8;
    case Site::CrossPattern:
        return 9;
    case Site::CrossZ:
        return 10;
    case Site::CrossOut:
        return 11;
    case Site::ResidMidCross:
        return 12;
    case Site::RouterProbs:
        return kMlp;
    case Site::ExpertWeights:
        return 14;
    case Site::MlpPre:
    case Site::MlpPreLinear:
        return 15;
    case Site::MlpPost:
        return 16;
    case Site::MlpOut:
        return kMlpOut;
    case Site::ResidPost:
        return kPost;
    default:
        return kNowhere;
    }
}

bool isFirst(Site site)
{
    return site == Site::Embed || site == Site::PosEmbed;
}

bool isLast(Site site)
{
    return site == Site::LnFinal || site == Site::Logits || site == Site::NextSentence;
}

bool isQuery(Site site)
{
    return site == Site::Query || site == Site::RotatedQuery;
}

/// True for sites of which other rows read a row.
bool isRead(Site site)
{
    return stageOf(site) == kOperands && !isQuery(site);
}

/// True where, among queries, keys and values, `to` is computed from `from`.
bool makes(Site from, Site to)
{
    switch (from) {
    case Site::Query:
        return to == Site::RotatedQuery;
    case Site::Key:
        return to == Site::RotatedKey;
    case Site::Latent:
        return to == Site::Key || to == Site::Value || to == Site::RotatedKey;
    case Site::RotaryKey:
        return to == Site::Key || to == Site::RotatedKey;
    default:
        return false;
    }
}

bool reachesInBlock(const ModelConfig& config, Site from, Site to)
{
    const int first = stageOf(from);
    const int second = stageOf(to);
    if (first == kOperands && second == kOperands)
        return makes(from, to);
    if (from == Site::Value && (second == kScores || second == kPattern))
        return false;
    const bool beside = config.isParallel() && first > kBefore && first < kMlp;
    if (beside && second >= kMlp && second <= kMlpOut)
        return false;
    return first < second;
}

/// Attention layers in between, [first, last), each of which may carry a change to other rows.
struct AttentionRange
{
    int first = 0;
    int last = 0;

    bool isEmpty() const { return first >= last; }
};

AttentionRange attentionsBetween(const ModelConfig& config, const CausalPoint& from,
                                 const CausalPoint& to)
{
    const int begin = isFirst(from.site) ? 0 : from.layer;
    const int end = isLast(to.site)
                        ? static_cast<int>(config.isEncoderDecoder() ? config.decoderLayerCount()
                                                                     : config.layers)
                        : to.layer;
    const bool leaves = isFirst(from.site) || stageOf(from.site) == kBefore || isRead(from.site);
    const bool arrives = !isLast(to.site) && stageOf(to.site) >= kScores;
    return {leaves ? begin : begin + 1, arrives ? end + 1 : end};
}

/// True where the windows of these layers together reach as far back.
bool reach(const ModelConfig& config, const AttentionRange& layers, std::int64_t distance)
{
    std::int64_t reached = 0;
    for (int layer = layers.first; layer < layers.last; ++layer) {
        const std::optional<std::int64_t> window = config.layer(layer).window;
        if (!window)
            return true;
        reached += *window - 1;
    }
    return distance <= reached;
}

bool isLater(const ModelConfig& config, const CausalPoint& from, const CausalPoint& to)
{
    const bool inside = !isFirst(from.site) && !isLast(to.site) && !isLast(from.site);
    if (isLast(from.site))
        return from.site == Site::LnFinal && to.site == Site::Logits;
    if (isFirst(to.site))
        return false;
    if (!inside)
        return true;
    return from.layer < to.layer ||
           (from.layer == to.layer && reachesInBlock(config, from.site, to.site));
}

bool isOfAnotherStack(Site site)
{
    return stageOf(site) == kNowhere && !isFirst(site) && !isLast(site);
}

} // namespace

bool canReach(const ModelConfig& config, const CausalPoint& from, const CausalPoint& to)
{
    if (from == to)
        return true;
    if (isOfAnotherStack(from.site) || isOfAnotherStack(to.site) || !isLater(config, from, to))
        return false;
    const bool causal = config.hasDecoder() && config.causal;
    const std::int64_t ahead = to.position - from.position;
    if (ahead == 0)
        return true;
    const AttentionRange attentions = attentionsBetween(config, from, to);
    if (attentions.isEmpty() || (causal && ahead < 0))
        return false;
    return !causal || reach(config, attentions, ahead);
}

} // namespace headscope
