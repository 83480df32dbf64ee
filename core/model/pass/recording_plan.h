#pragma once

#include "core/model/pass/interventions.h"
#include "core/model/pass/site_shape.h"
#include "core/trace/trace_recorder.h"

#include <vector>

namespace headscope {

struct TraceRequest;

/// Which of the wanted activations a trace records, and which it computes when they are read.
struct RecordingPlan
{
    std::vector<TraceKey> recorded; ///< Sorted.
    std::vector<TraceKey> omitted;  ///< Sorted; computed by a LayerReplay.
    TraceRecorder::Patterns patterns = TraceRecorder::Patterns::Whole;
};

/// Records everything up to the request's budgets. Beyond patternBudget, patterns become operands,
/// from which scores follow, and those are left out;
/// beyond activationBudget, a model with one stack keeps the residual stream between its layers and
/// what its heads attend with, and omits the rest.
RecordingPlan recordingPlan(const std::vector<TraceKey>& wanted, const TraceRequest& request,
                            const ModelConfig& config, const SiteExtents& extents,
                            const Interventions& interventions);

} // namespace headscope
