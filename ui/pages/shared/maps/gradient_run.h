#pragma once

#include "core/analysis/flow/attention_gradients.h"
#include "ui/session/looking.h"

namespace headscope::ui {

/// A run of the window's, as what takes gradients needs it: nothing of it refers to the window.
struct GradientInputs
{
    std::shared_ptr<const Model> model;
    std::vector<TokenId> ids;
    std::vector<TokenId> source;
    std::vector<std::int32_t> segments;
    Interventions interventions; ///< of B; for A nothing

    AttributionRun run(AttentionBackend& backend, GradientTarget target) const;
};

/// Throws Error where the run has no model. May run other texts that B's changes refer to.
GradientInputs gradientInputs(const Looking& looking, Variant variant);

/// Why there is no gradient of a logit: one sentence; empty where there is one.
QString whyNoGradient(const Looking& looking, Variant variant);

/// The likeliest token after a position (-1: the last) of a trace; empty without usable logits.
std::optional<TokenId> likeliestNext(const Trace& trace, std::int64_t position);

} // namespace headscope::ui
