#include "core/model/pass/recording_plan.h"

#include "core/model/pass/layer_replay.h"
#include "core/model/pass/tracer.h"

#include <algorithm>

namespace headscope {

namespace {

template<class Chooses>
std::size_t bytesOf(const std::vector<TraceKey>& wanted, const ModelConfig& config,
                    const SiteExtents& extents, const Chooses& chooses)
{
    std::size_t bytes = 0;
    for (const TraceKey key : wanted) {
        const auto shape = chooses(key) ? siteShape(config, key, extents) : std::nullopt;
        bytes += shape ? static_cast<std::size_t>(shape->elementCount()) * sizeof(float) : 0;
    }
    return bytes;
}

/// False for a mask whose memory belongs to the caller of one forward pass.
bool ownsItsMask(const Interventions& interventions)
{
    return !interventions.mask || interventions.mask->allowed == nullptr ||
           !interventions.maskCells.empty();
}

void omitWhatFollows(RecordingPlan& plan, const ModelConfig& config)
{
    const std::vector<TraceKey> streams = LayerReplay::streams(config);
    const auto omits = [&](TraceKey key) {
        return LayerReplay::canCompute(config, key) &&
               std::ranges::find(streams, key) == streams.end();
    };
    std::ranges::copy_if(plan.recorded, std::back_inserter(plan.omitted), omits);
    std::erase_if(plan.recorded, omits);
    plan.recorded.insert(plan.recorded.end(), streams.begin(), streams.end());
    std::ranges::sort(plan.recorded);
    const auto repeated = std::ranges::unique(plan.recorded);
    plan.recorded.erase(repeated.begin(), repeated.end());
    plan.patterns = TraceRecorder::Patterns::AllOperands;
}

} // namespace

RecordingPlan recordingPlan(const std::vector<TraceKey>& wanted, const TraceRequest& request,
                            const ModelConfig& config, const SiteExtents& extents,
                            const Interventions& interventions)
{
    RecordingPlan plan{wanted, {}};
    const auto isOfPattern = [](TraceKey key) { return isPattern(key.site); };
    if (bytesOf(wanted, config, extents, isOfPattern) > request.patternBudget) {
        plan.patterns = TraceRecorder::Patterns::Operands;
        std::erase_if(plan.recorded, [](TraceKey key) { return isScores(key.site); });
    }
    const auto canOmit = [&](TraceKey key) { return LayerReplay::canCompute(config, key); };
    if (ownsItsMask(interventions) &&
        bytesOf(wanted, config, extents, canOmit) > request.activationBudget)
        omitWhatFollows(plan, config);
    return plan;
}

} // namespace headscope
