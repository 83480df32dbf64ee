#pragma once

#include "ui/session/view_snapshot.h"
#include "ui/widgets/heatmap/lens_grid.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/workers/training/lens_meter.h"

#include <QJsonObject>

namespace headscope::ui {

/// Quantity shown in the cells of the lens page.
enum class LensMeasure {
    Token,          ///< The top-1 token, shaded by its probability.
    Probability,    ///< Probability of the target.
    Rank,           ///< Rank of the target; 1: the most probable.
    LogProbability, ///< Log-probability of the target, in nats.
    Entropy,        ///< Entropy in nats.
    Divergence,     ///< KL(model || lens) in nats.
};
constexpr int kLensMeasures = 6;

/// Displayed text of a token, or "#99" where the tokenizer has no such id.
QString lensLabel(TokenId id, const LoadedModel& model);

QString measureTitle(LensMeasure measure);
QString measureMeaning(LensMeasure measure);

/// Persistent options of the page.
struct LensChoice
{
    LensMeasure measure = LensMeasure::Token;
    LensTarget target;
    bool halfSteps = false;
    bool tuned = false;
    int steps = 250; ///< Number of training steps.
    int stage = -1;  ///< Stage of the current cell; -1: the last.

    static LensChoice fromJson(const QJsonObject& json);
    QJsonObject toJson() const;

    friend bool operator==(const LensChoice&, const LensChoice&) = default;
};

/// Traces to read for `choice`. None for a model that is still loading.
LensJob lensJob(const ViewSnapshot& view, const LensChoice& choice, TunedLensPtr tuned);

/// One lens reading on the page. Rows are tokens, columns stages.
struct LensReadout
{
    LensReadingPtr kept; ///< Not null.
    ViewSnapshot view;   ///< View that was read.
    LensChoice choice;

    const LensReading& reading() const { return *kept; }

    bool isDifference() const;
    const StreamLens& lens() const; ///< Lens of the shown variant; B's for a difference.
    double valueAt(const StreamLens& of, HeatmapCell cell) const; ///< NaN: not defined.
    double valueAt(HeatmapCell cell) const; ///< Value of the shown variant, or B−A.
    /// Whether the top-1 token differs from the other variant.
    bool differs(HeatmapCell cell) const;
};

QString stageName(const LensStage& stage);  ///< Stage name such as "after layer 3".
QString stageLabel(const LensStage& stage); ///< Column label such as "3".

LensContent lensGridContent(const LensReadout& readout);
ColourBarContent lensLegend(const LensReadout& readout);

/// Why B−A is not defined; empty otherwise.
QString whyNoDifference(const LensReading& reading);

} // namespace headscope::ui
