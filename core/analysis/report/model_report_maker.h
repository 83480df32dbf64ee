#pragma once

#include "core/analysis/causal/ablation_sweep.h"
#include "core/analysis/report/model_report.h"
#include "core/model/pass/tracer.h"

#include <functional>

namespace headscope {

/// Requested parts of a report. Prerequisites of a requested part are computed too.
struct ReportParts
{
    bool survey = true; ///< Random repeats, sample sentences, weights.
    bool labels = true;
    bool ablation = true; ///< Ablation on the text.
    bool probeAblation = true;
    bool lens = true;
    bool attribution = true;
};

struct ReportRequest
{
    LoadedModel model;              ///< Its model may be null, for a captured trace.
    std::optional<LoadAudit> audit; ///< Audit made on opening; else one of the weights in memory.
    TracePtr captured;              ///< Replaces a model and a text.
    TokenSequence tokens;
    TokenSequence source; ///< Source of an encoder-decoder.
    std::string program;
    std::string command;
    /// Target of lens and attribution; by default the most probable token.
    std::optional<TokenId> target;
    std::optional<TokenId> against;       ///< Token whose logit is subtracted from the target's.
    std::optional<std::int64_t> position; ///< By default tellingPosition.
    Replacement replacement = Replacement::Zero;
    std::uint64_t seed = 0; ///< Seed of resampled heads.
    ReportParts parts;
};

/// Called on the thread that makes the report with the current part and the overall progress, 0 to
/// 1.
using ReportListener = std::function<void(const std::string& part, double fraction)>;

/// Makes all requested parts; those that are not available say why. Throws Error for a text or a
/// token that the model cannot process, and Cancelled.
ModelReport makeModelReport(const ReportRequest& request, const BackendFactory& backends,
                            const std::stop_token& stop = {}, const ReportListener& listener = {});

} // namespace headscope
