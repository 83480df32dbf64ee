#pragma once

#include "core/analysis/flow/attention_gradients.h"
#include "ui/session/view_snapshot.h"

namespace headscope::ui {

/// Inputs for computing gradients of a variant, with no references to the window.
struct GradientInputs
{
    std::shared_ptr<const Model> model;
    std::vector<TokenId> ids;
    std::vector<TokenId> source;
    std::vector<std::int32_t> segments;
    Interventions interventions; ///< Changes of B; empty for A.

    AttributionRun run(AttentionBackend& backend, GradientTarget target) const;
};

/// Copies a variant's inputs. Throws Error without a model. May trace other texts that B's changes
/// refer to.
GradientInputs gradientInputs(const ViewSnapshot& view, Variant variant);

/// Why there is no gradient of a logit, one sentence; empty where there is one.
QString whyNoGradient(const ViewSnapshot& view, Variant variant);

/// Most likely token after a position (-1: the last) of a trace; empty without usable logits.
std::optional<TokenId> mostLikelyNext(const Trace& trace, std::int64_t position);

} // namespace headscope::ui
