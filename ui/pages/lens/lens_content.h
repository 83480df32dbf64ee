#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/widgets/charts/bars.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/heatmap/lens_grid.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/workers/training/lens_meter.h"

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
bool isAboutTarget(LensMeasure measure);

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

/// The most probable tokens of one cell; of a difference B's.
std::vector<Bar> lensBars(const LensPicture& picture, HeatmapCell cell);

/// Rank and probability of the target, entropy and KL of one cell, a line each.
QString cellWords(const LensPicture& picture, HeatmapCell cell);

/// Through the layers at one position. x: layers passed, 0 the embeddings.
LineChartContent probabilityChart(const LensPicture& picture, int row);
LineChartContent rankChart(const LensPicture& picture, int row);
LineChartContent entropyChart(const LensPicture& picture, int row);

/// The number of a cell of the logit lens; none, with the reason in `why`, for others.
MaybeNumber lensCellNumber(const LensPicture& picture, HeatmapCell cell, QString* why);

/// Why B - A cannot be had; empty where it can.
QString noDifferenceWords(const LensReading& reading);

Figure lensFigure(const LensPicture& picture);
Figure lensFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
