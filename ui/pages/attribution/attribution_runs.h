#pragma once

#include "core/analysis/flow/attention_gradients.h"
#include "core/analysis/lens/logit_attribution.h"
#include "ui/session/looking.h"

#include <QJsonObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headscope::ui {

/// What the Attribution page remembers: token ids -1 are the likeliest and none.
struct AttributionOptions
{
    TokenId token = -1;            ///< whose logit
    TokenId other = -1;            ///< the one that it is compared with
    bool sorted = true;            ///< largest first, else in the model's order
    std::optional<LogitHead> head; ///< whose source tokens are shown; none: the strongest

    static AttributionOptions fromJson(const QJsonObject& json); ///< unknown keys are ignored
    QJsonObject toJson() const;

    friend bool operator==(const AttributionOptions&, const AttributionOptions&) = default;
};

/// One run, taken apart.
struct AttributionParts
{
    LogitAttribution logit;
    LogitHead head;              ///< whose source tokens follow
    std::vector<double> sources; ///< [m]; empty where the head's output was replaced
    QString problem;             ///< why there are none: one sentence
};

/// What its input tokens do to it.
struct AttributionInputs
{
    InputAttribution gradient;
    InputAttribution integrated;
    QString problem;
};

/// Both runs, as far as they are shown; null where not, or not yet.
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

/// The logit that the page is about, in the shown run; empty without logits.
std::optional<LogitTarget> attributionTarget(const Looking& looking,
                                             const AttributionOptions& options);

/// On any thread. Problems are said, not thrown.
OfRuns<AttributionParts> attributionParts(const Looking& looking,
                                          const AttributionOptions& options);

/// On any thread; Cancelled is thrown.
OfRuns<AttributionInputs> attributionInputs(const Looking& looking,
                                            const AttributionOptions& options,
                                            const std::stop_token& stop = {},
                                            const std::function<void(double)>& progress = {});

} // namespace headscope::ui
