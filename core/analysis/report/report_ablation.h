#pragma once

#include "core/analysis/report/model_report_maker.h"

namespace headscope {

/// What a report's sweeps work with.
struct ReportSweep
{
    const ReportRequest& request;
    const ModelReport& report;
    const BackendFactory& backends;
    std::stop_token stop;
    std::function<void(double fraction)> listener;
    std::int64_t position = 0; ///< where the model tells something about the text
    std::optional<TokenId> target;
};

/// Every head switched off in turn on the text. The metric: the difference of two logits where a
/// contrast is asked for; the mean loss of a decoder's text of two tokens or more; the logit of the
/// target; of a model without a language head how far its last hidden states turn (mean over the
/// tokens of 1 - cosine).
ReportAblation ablationOnText(const ReportSweep& sweep);

/// The same on the survey's random repeats: the mean loss of the second round, in which each token
/// can be known by copying alone. Says why not where there are none.
ReportPart<ReportAblation> ablationOnRepeats(const ReportSweep& sweep);

} // namespace headscope
