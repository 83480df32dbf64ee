#pragma once

#include "ui/session/looking.h"
#include "ui/widgets/heatmap/lens_grid.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/workers/training/lens_meter.h"

#include <QJsonObject>

namespace headscope::ui {

/// What the cells of the lens page say.
enum class LensMeasure {
    Token,          ///< the most probable token, shaded by its probability
    Probability,    ///< of the target
    Rank,           ///< of the target, 1: the most probable
    LogProbability, ///< of the target, nats
    Entropy,        ///< nats
    Divergence,     ///< KL(model || lens), nats
};
constexpr int kLensMeasures = 6;

/// A token as a person reads it, or "#99" where the tokenizer has no such one.
QString lensLabel(TokenId id, const LoadedModel& model);

QString measureTitle(LensMeasure measure);
QString measureMeaning(LensMeasure measure);

/// What the page remembers.
struct LensChoice
{
    LensMeasure measure = LensMeasure::Token;
    LensTarget target;
    bool halfSteps = false;
    bool tuned = false;
    int steps = 250; ///< of training
    int stage = -1;  ///< of the current cell; -1: the last

    static LensChoice fromJson(const QJsonObject& json);
    QJsonObject toJson() const;

    friend bool operator==(const LensChoice&, const LensChoice&) = default;
};

/// What `choice` asks of the shown texts. No traces of a model that is on its way.
LensJob lensJob(const Looking& looking, const LensChoice& choice, TunedLensPtr tuned);

/// One reading on the page. Rows are tokens, columns stages.
struct LensPicture
{
    const LensReading& reading;
    const Looking& looking; ///< that it is of
    const LensChoice& choice;

    bool isDifference() const;
    const StreamLens& lens() const; ///< of the shown run; B's for a difference
    double valueAt(const StreamLens& of, HeatmapCell cell) const; ///< NaN: not defined
    double valueAt(HeatmapCell cell) const;                       ///< of the shown run, or B - A
    bool differs(HeatmapCell cell) const; ///< another most probable token than in the other run
};

QString stageName(const LensStage& stage);  ///< "after layer 3"
QString stageLabel(const LensStage& stage); ///< "3": above a column

LensContent lensGridContent(const LensPicture& picture);
ColourBarContent lensLegend(const LensPicture& picture);

/// Why B - A cannot be had; empty where it can.
QString noDifferenceWords(const LensReading& reading);

} // namespace headscope::ui
