#pragma once

#include "ui/pages/shared/score_names.h"
#include "ui/session/looking.h"
#include "ui/widgets/heatmap/heatmap_matrix.h"
#include "ui/workers/analysis/causal_worker.h"
#include "ui/workers/forward/head_scorer.h"

#include <QJsonObject>

namespace headscope::ui {

enum class CausalSection { Heads, Patch, Path };

/// What the page of causal tests remembers of itself.
struct CausalChoice
{
    CausalSection section = CausalSection::Heads;
    GradientTarget::Kind metric = GradientTarget::Kind::LogitDifference;
    int position = -1;  ///< -1: the last token
    TokenId token = -1; ///< -1: what the model says there
    TokenId other = -1; ///< -1: what the corrupted text gives; of heads: the second choice
    Replacement replacement = Replacement::Zero;
    std::uint64_t seed = 1;
    std::optional<HeadScore> score; ///< null: see comparedScore
    bool byScore = false;           ///< the table's order; else by effect
    PatchSite site = PatchSite::ResidPre;
    QString corrupted; ///< empty: B's text, when it has one of its own
    std::optional<HeatmapCell> cell;
    int step = 0;
    TokenId foundOther = -1; ///< what the corrupted text gave, of the pair with this name
    QByteArray foundFor;

    static CausalChoice fromJson(const QJsonObject& json);
    QJsonObject toJson() const;
};

/// True for a model without a language head: how far its last hidden states turn is watched.
bool watchesStates(const Looking& looking);

/// The score that effects are compared with: the chosen one, else what the text defines, induction
/// where it repeats itself.
HeadScore comparedScore(const CausalChoice& choice, const HeadScoreTable& scores);

/// The corrupted text in force; empty without one.
QString corruptedText(const Looking& looking, const CausalChoice& choice);

/// Names the texts and the place whose other token was looked for.
QByteArray pairName(const Looking& looking, const CausalChoice& choice);

/// The number that is watched, with what was left open filled in from the runs that there are.
GradientTarget metricFor(const Looking& looking, const CausalChoice& choice);

/// Why such a test cannot be made here, one sentence; empty when it can.
QString causalProblem(const Looking& looking, const CausalChoice& choice);

/// What is to be computed; of a section.
CausalJob causalJob(const Looking& looking, const CausalChoice& choice, CausalSection section);

/// Equal where the same would be computed: model, tokens, metric, settings. Of a model in training
/// its weights are told apart by the metric itself: see belongsTo.
QByteArray keyOf(const CausalJob& job);

/// True when the plain run's metric is the one that a result began from.
bool belongsTo(const Looking& looking, const GradientTarget& metric, double before);

} // namespace headscope::ui
