#pragma once

#include "core/analysis/derivation/token_alignment.h"
#include "core/analysis/lens/stream_lens.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/heatmap/lens_grid.h"
#include "ui/workers/tasks/latest_task.h"

namespace headscope::ui {

/// Two variants side by side: A, and B (A again while there are no changes).
struct Comparison
{
    std::vector<AlignedTokens> lines; ///< Aligned tokens of the texts that predict.
    AlignmentKind kind = AlignmentKind::Ids;
    StreamLens a; ///< One stage per layer with its top-1 token.
    StreamLens b;
    /// Predicted texts, where two vocabularies use different ids for one token.
    QStringList textsA;
    QStringList textsB;
    /// Divergence over aligned tokens [heads, layers]; empty where models differ.
    HeatmapMatrix divergence;

    int alignedCount() const;
    int differingPredictions() const; ///< Number of aligned cells whose top-1 tokens differ.
};

using ComparisonPtr = std::shared_ptr<const Comparison>;

/// Text such as "5 of 6 lines aligned · 1 prediction differs".
QString alignmentText(int aligned, int lines, int differing);

Comparison comparisonOf(const ViewSnapshot& view, const std::stop_token& stop = {});

/// Grid of one variant with a row for every line; gaps for tokens of the other variant.
LensContent lensContent(const ViewSnapshot& view, const ComparisonPtr& compared, Variant variant);

/// Probability of one cell: softmax of the layer's logit lens.
MaybeNumber lensNumber(const ViewSnapshot& view, const Comparison& comparison, Variant variant,
                       HeatmapCell cell);

/// Divergence map: heads down, layers across, 0 to 1.
HeatmapContent divergenceContent(const ViewSnapshot& view, const Comparison& comparison);

/// Residual stream after a layer of the stack that predicts.
TraceKey lensKey(const ViewSnapshot& view, int layer);

/// The option "section" chooses what is drawn: "layers", the default, or "moved".
Figure compareFigure(const ViewSnapshot& view, const QJsonObject& options);

/// Computes comparisons on its own thread.
class ComparisonMeter : public QObject
{
    Q_OBJECT

public:
    explicit ComparisonMeter(QObject* parent = nullptr) : QObject(parent) {}

    void measure(const ViewSnapshot& view);

    const ComparisonPtr& comparison() const { return m_comparison; } ///< Not null.

    bool isMeasuring() const { return m_task.isRunning(); }

    const ViewSnapshot& subject() const { return m_subject; } ///< Subject of comparison().

signals:
    void measured();

private:
    void take(const ViewSnapshot& view, Comparison comparison);

    TracePtr m_a; ///< Requested trace of A.
    TracePtr m_b;
    ViewSnapshot m_subject;
    ComparisonPtr m_comparison = std::make_shared<const Comparison>();
    LatestTask m_task;
};

} // namespace headscope::ui
