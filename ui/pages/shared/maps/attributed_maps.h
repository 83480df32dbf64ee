#pragma once

#include "core/analysis/flow/attention_rollout.h"
#include "ui/pages/shared/maps/map_kind.h"
#include "ui/session/view_snapshot.h"

#include <functional>
#include <stop_token>

namespace headscope::ui {

/// Quantity to show in place of attention.
struct AttributedChoice
{
    MapKind kind = MapKind::Weights;
    std::optional<int> layer; ///< Layer of the active part; empty: every layer.

    friend bool operator==(const AttributedChoice&, const AttributedChoice&) = default;
};

/// Trace of one variant with attributions in place of its patterns, so that every attention view
/// can show them. All are on attention's scale: 0 to 1, or -1 to +1. Gradients are divided by the
/// largest row sum of magnitudes in the layer, so that this row sums to 1.
struct AttributedRun
{
    TracePtr trace;           ///< Null without a trace.
    std::vector<double> unit; ///< Value of 1 in logits, by layer; 0 where it is not a logit.
    QString target;           ///< Token whose logit is attributed; empty without one.
    QString note;             ///< Accuracy, one sentence; may be empty.
    QString problem;          ///< Why there is none, one sentence; empty otherwise.
};

using AttributedRunPtr = std::shared_ptr<const AttributedRun>;

struct AttributedRuns
{
    AttributedRunPtr a; ///< Null where it is not shown.
    AttributedRunPtr b;

    const AttributedRunPtr& of(Variant variant) const { return variant == Variant::A ? a : b; }
};

/// Token limit for attention flow.
constexpr int kMostFlowTokens = 96;

/// Attributed maps of the shown variants. Reports problems in the result; throws only Cancelled.
AttributedRuns attributedRuns(const ViewSnapshot& view, const AttributedChoice& choice,
                              const std::stop_token& stop = {},
                              const std::function<void(double)>& progress = {});

/// Rule of rollout and flow for a variant's model. Half of each stream is its own, as in Abnar,
/// Zuidema 2020, who add the identity for the residual connections; none of it without those.
RolloutRule rolloutRule(const ViewSnapshot& view, Variant variant);

/// Same view with attributions; signed ones token by token.
ViewSnapshot viewAt(const ViewSnapshot& view, const AttributedRuns& runs, MapKind kind);

/// Problem of the shown variant that has one; empty without problems.
QString problemOf(const AttributedRuns& runs);

/// Description: "Gradient \u00D7 attention, logit of \u201C mat\u201D; 1 is the row that counts
/// most in this layer".
QString attributedText(const AttributedRuns& runs, MapKind kind, Variant variant);

} // namespace headscope::ui
