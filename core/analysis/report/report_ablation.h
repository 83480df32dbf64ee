#pragma once

#include "core/analysis/report/model_report_maker.h"

namespace headscope {

/// Input of a report's sweeps.
struct ReportSweep
{
    const ReportRequest& request;
    const ModelReport& report;
    const BackendFactory& backends;
    std::stop_token stop;
    std::function<void(double fraction)> listener;
    std::int64_t position = 0; ///< Position of the model's prediction about the text.
    std::optional<TokenId> target;
};

/// Ablates every head in turn on the text. The metric: the logit difference if a contrast is
/// requested; the mean loss of a decoder's text of two tokens or more; the logit of the target; for
/// a model without a language head the mean cosine distance of its final hidden states.
ReportAblation ablationOnText(const ReportSweep& sweep);

/// Ablates every head in turn on the survey's random repeats: the mean loss of the second round, in
/// which each token is predictable by copying alone. Gives the reason if there are none.
ReportPart<ReportAblation> ablationOnRepeats(const ReportSweep& sweep);

} // namespace headscope
