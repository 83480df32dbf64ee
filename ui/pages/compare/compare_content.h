#pragma once

#include "core/analysis/derivation/token_alignment.h"
#include "core/analysis/lens/stream_lens.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/heatmap/lens_grid.h"
#include "ui/workers/tasks/latest_task.h"

namespace headscope::ui {

/// Two runs side by side: A, and B (A again while nothing is changed).
struct Comparison
{
    std::vector<AlignedTokens> lines; ///< of the texts that predict
    AlignmentKind kind = AlignmentKind::Ids;
    StreamLens a; ///< a stage a layer, and its most probable token
    StreamLens b;
    QStringList textsA; ///< of the predictions, where two vocabularies give one token two ids
    QStringList textsB;
    HeatmapMatrix divergence; ///< [heads, layers] over aligned tokens; empty where models differ

    int alignedCount() const;
    int differingPredictions() const; ///< cells of aligned tokens with another most probable token
};

Comparison comparisonOf(const Looking& looking, const std::stop_token& stop = {});

/// One run's grid, with a row for every line; the other run's tokens leave gaps.
LensContent lensContent(const Looking& looking, const Comparison& comparison, Variant variant);

/// One cell's probability: softmax of what the layer's stream would predict.
MaybeNumber lensNumber(const Looking& looking, const Comparison& comparison, Variant variant,
                       HeatmapCell cell);

/// Heads down, layers across, 0 to 1.
HeatmapContent divergenceContent(const Looking& looking, const Comparison& comparison);

/// The stream after a layer of the stack that predicts.
TraceKey lensKey(const Looking& looking, int layer);

Figure compareFigure(const Looking& looking, const QJsonObject& options);

/// Computes comparisons on a thread of its own.
class ComparisonMeter : public QObject
{
    Q_OBJECT

public:
    explicit ComparisonMeter(QObject* parent = nullptr) : QObject(parent) {}

    void measure(const Looking& looking);

    const Comparison& comparison() const { return m_comparison; }

    bool isMeasuring() const { return m_task.isRunning(); }

    const Looking& subject() const { return m_subject; } ///< what comparison() is of

signals:
    void measured();

private:
    void take(const Looking& looking, const Comparison& comparison);

    TracePtr m_a; ///< wanted
    TracePtr m_b;
    Looking m_subject;
    Comparison m_comparison;
    LatestTask m_task;
};

} // namespace headscope::ui
