#pragma once

#include "ui/pages/shared/score_names.h"
#include "ui/session/view_snapshot.h"
#include "ui/widgets/heatmap/heatmap_matrix.h"
#include "ui/workers/analysis/causal_worker.h"
#include "ui/workers/forward/head_scorer.h"

#include <QJsonObject>

namespace headscope::ui {

enum class CausalSection { Heads, Patch, Path };

/// Persistent options of the causal page.
struct CausalChoice
{
    CausalSection section = CausalSection::Heads;
    GradientTarget::Kind metric = GradientTarget::Kind::LogitDifference;
    int position = -1;  ///< Position of the answer; -1: the last token.
    TokenId token = -1; ///< Answer token; -1: the model's prediction there.
    /// Contrast token; -1: the corrupted text's prediction, or for heads the second choice.
    TokenId other = -1;
    Replacement replacement = Replacement::Zero;
    std::uint64_t seed = 1;
    std::optional<HeadScore> score; ///< Score to compare with; null: see comparedScore.
    bool byScore = false;           ///< Order of the table: by score, otherwise by effect.
    PatchSite site = PatchSite::ResidPre;
    QString corrupted; ///< Corrupted text; empty: B's text, if it has one of its own.
    std::optional<HeatmapCell> cell;
    int step = 0;
    TokenId foundOther = -1; ///< Prediction of the corrupted text, for the pair named below.
    QByteArray foundFor;

    static CausalChoice fromJson(const QJsonObject& json);
    QJsonObject toJson() const;
};

/// True for a model without a language head: the metric is the cosine distance of its final hidden
/// states.
bool watchesStates(const ViewSnapshot& view);

/// Score that effects are compared with: the chosen one, otherwise one defined on the text, or
/// induction where the text repeats.
HeadScore comparedScore(const CausalChoice& choice, const HeadScoreTable& scores);

/// The corrupted text in use; empty without one.
QString corruptedText(const ViewSnapshot& view, const CausalChoice& choice);

/// Key of the texts and the position whose contrast token was determined.
QByteArray pairName(const ViewSnapshot& view, const CausalChoice& choice);

/// Metric of the test, with unset options filled in from the available traces.
GradientTarget metricFor(const ViewSnapshot& view, const CausalChoice& choice);

/// Why this test is not available, one sentence; empty when it is.
QString causalProblem(const ViewSnapshot& view, const CausalChoice& choice);

/// Computation that a section needs.
CausalJob causalJob(const ViewSnapshot& view, const CausalChoice& choice, CausalSection section);

/// Equal for equal computations: model, tokens, metric, settings. For a model in training, the
/// weights are told apart by the metric: see belongsTo.
QByteArray keyOf(const CausalJob& job);

/// True when the clean run's metric equals the one a result started from.
bool belongsTo(const ViewSnapshot& view, const GradientTarget& metric, double before);

} // namespace headscope::ui
