#pragma once

#include "core/analysis/flow/attention_gradients.h"
#include "core/analysis/lens/logit_attribution.h"
#include "ui/session/view_snapshot.h"

#include <QJsonObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headscope::ui {

/// Persistent options of the Attribution page; token ids of -1 mean the most likely and none.
struct AttributionOptions
{
    TokenId token = -1;            ///< Target token.
    TokenId other = -1;            ///< Contrast token.
    bool sorted = true;            ///< Largest first; otherwise in the model's order.
    std::optional<LogitHead> head; ///< Head whose source tokens are shown; none: the strongest.

    static AttributionOptions fromJson(const QJsonObject& json); ///< Ignores unknown keys.
    QJsonObject toJson() const;

    friend bool operator==(const AttributionOptions&, const AttributionOptions&) = default;
};

/// Decomposition of one variant.
struct AttributionParts
{
    LogitAttribution logit;
    LogitHead head; ///< Head whose source tokens follow.
    /// Contribution of each source token [m]; empty where the head's output was replaced.
    std::vector<double> sources;
    QString problem; ///< Why there are none, one sentence; empty otherwise.
};

/// Attribution of the target to the input tokens.
struct AttributionInputs
{
    InputAttribution gradient;
    InputAttribution integrated;
    QString problem;
};

/// Decompositions of both variants; null where not shown or not yet computed.
template<class Value>
struct OfRuns
{
    std::shared_ptr<const Value> a;
    std::shared_ptr<const Value> b;

    const std::shared_ptr<const Value>& of(Variant variant) const
    {
        return variant == Variant::A ? a : b;
    }
};

/// Target of the page in the shown variant; empty without logits.
std::optional<LogitTarget> attributionTarget(const ViewSnapshot& view,
                                             const AttributionOptions& options);

/// Computes the parts; callable on any thread. Problems are reported, not thrown.
OfRuns<AttributionParts> attributionParts(const ViewSnapshot& view,
                                          const AttributionOptions& options);

/// Computes the input attributions; callable on any thread. Throws Cancelled.
OfRuns<AttributionInputs> attributionInputs(const ViewSnapshot& view,
                                            const AttributionOptions& options,
                                            const std::stop_token& stop = {},
                                            const std::function<void(double)>& progress = {});

} // namespace headscope::ui
