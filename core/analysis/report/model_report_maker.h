#pragma once

#include "core/analysis/causal/ablation_sweep.h"
#include "core/analysis/report/model_report.h"
#include "core/model/pass/tracer.h"

#include <functional>

namespace headscope {

/// Which parts are wanted. What the others need is made all the same.
struct ReportParts
{
    bool survey = true; ///< random repeats, sample sentences, weights
    bool labels = true;
    bool ablation = true; ///< on the text
    bool probeAblation = true;
    bool lens = true;
    bool attribution = true;
};

struct ReportRequest
{
    LoadedModel model;              ///< its model may be null, for a captured trace
    std::optional<LoadAudit> audit; ///< as opening found it; else of the weights in memory
    TracePtr captured;              ///< in place of a model and a text
    TokenSequence tokens;
    TokenSequence source; ///< of an encoder-decoder
    std::string program;
    std::string command;
    std::optional<TokenId> target;        ///< of lens and attribution; else the most probable token
    std::optional<TokenId> against;       ///< the logit is less this token's
    std::optional<std::int64_t> position; ///< else tellingPosition
    Replacement replacement = Replacement::Zero;
    std::uint64_t seed = 0; ///< of resampled heads
    ReportParts parts;
};

/// Told on the thread that makes the report: what is being done, and how much of all is done, 0 to
/// 1.
using ReportListener = std::function<void(const std::string& part, double fraction)>;

/// Everything that can be said; what cannot says why. Throws Error for a text or a token that the
/// model cannot take, and Cancelled.
ModelReport makeModelReport(const ReportRequest& request, const BackendFactory& backends,
                            const std::stop_token& stop = {}, const ReportListener& listener = {});

} // namespace headscope
