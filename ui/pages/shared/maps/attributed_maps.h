#pragma once

#include "ui/pages/shared/maps/map_kind.h"
#include "ui/session/looking.h"

#include <functional>
#include <stop_token>

namespace headscope::ui {

/// What is to stand in the place of attention.
struct AttributedChoice
{
    MapKind kind = MapKind::Weights;
    std::optional<int> layer; ///< of the active part; empty: every layer

    friend bool operator==(const AttributedChoice&, const AttributedChoice&) = default;
};

/// One run's trace with attributions where its patterns were, so that whatever shows attention
/// shows them. All are on attention's scale: 0 to 1, or -1 to +1. Gradients are divided by what the
/// query row of the layer that counts most adds up to (of magnitudes), which then has 1.
struct AttributedRun
{
    TracePtr trace;           ///< null where there is none
    std::vector<double> unit; ///< [layers]: what 1 is in logits; 0 where it is no logit
    QString target;           ///< the token whose logit it is about; empty without
    QString note;             ///< how exact it is, one sentence; may be empty
    QString problem;          ///< why there is none, one sentence
};

using AttributedRunPtr = std::shared_ptr<const AttributedRun>;

struct AttributedRuns
{
    AttributedRunPtr a; ///< null where it is not shown
    AttributedRunPtr b;

    const AttributedRunPtr& of(Variant variant) const { return variant == Variant::A ? a : b; }
};

/// Above so many tokens no flows are looked for.
constexpr int kMostFlowTokens = 96;

/// Of the runs that are shown. Problems are said, not thrown; Cancelled is.
AttributedRuns attributedRuns(const Looking& looking, const AttributedChoice& choice,
                              const std::stop_token& stop = {},
                              const std::function<void(double)>& progress = {});

/// The same looking, at attributions; signed ones token by token.
Looking lookingAt(const Looking& looking, const AttributedRuns& runs, MapKind kind);

/// Of whichever shown run has one; empty where all is there.
QString problemOf(const AttributedRuns& runs);

/// "Gradient \u00D7 attention, logit of \u201C mat\u201D; 1 is the row that counts most in this
/// layer".
QString attributedWords(const AttributedRuns& runs, MapKind kind, Variant variant);

} // namespace headscope::ui
