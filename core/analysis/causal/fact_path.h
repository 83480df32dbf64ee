#pragma once

#include "core/analysis/causal/activation_patching.h"

namespace headscope {

/// One location of a step, and the fraction of the metric that patching it restores (normalised
/// patching).
struct FactPosition
{
    int layer = -1;    ///< Layer; -1: not tied to one.
    int position = -1; ///< Token; -1: not tied to one.
    int head = -1;     ///< Head; -1: not tied to one.
    double restored = 0.0;

    /// For a head: the token that the metric's row attends to most in the clean run.
    int attendsTo = -1;
    double weight = 0; ///< Restored fraction.
};

/// Prediction of the model at the metric's row.
struct FactAnswer
{
    TokenId top = 0;
    double topProbability = 0.0;
    TokenId answer = 0; ///< Token that the metric reads.
    double answerProbability = 0.0;
    int answerRank = 0; ///< Rank of the answer; 1: top-1.
};

/// One step of the trace, by its question.
struct FactStep
{
    enum class Kind {
        Answer,     ///< Predictions of the clean and the corrupted run.
        Tokens,     ///< Tokens that hold the fact in the early layers.
        MlpLayers,  ///< MLPs that restore it, and at which token.
        AttnLayers, ///< Attention layers that restore it, and at which token.
        Heads,      ///< Heads that restore it, and what they attend to from the metric's row.
        Lens,       ///< Layer from which the logit lens predicts the answer.
    };

    Kind kind = Kind::Answer;
    std::vector<FactPosition>
        places;                     ///< Largest first; for Lens: every layer, with the probability.
    std::optional<PatchSite> shows; ///< The grid that these numbers come from.
};

/// Causal trace of a fact from the tokens that hold it to the prediction, from numbers alone.
struct FactPath
{
    std::int64_t row = 0; ///< Row that the metric reads.
    double clean = 0.0;
    double corrupted = 0.0;
    FactAnswer cleanAnswer;
    FactAnswer corruptedAnswer;
    int topFrom = -1; ///< Layer from which the lens's top-1 token is the answer; -1: never.
    std::vector<FactStep> steps;
    /// Grids of resid_pre, mlp_out (where there is one), attn_out, out.
    std::vector<PatchGrid> grids;

    const PatchGrid* grid(PatchSite site) const;
};

/// Causal trace of any pair whose metric reads one row: a fact with another subject, or "A B ... A"
/// with B changed. Throws Error for a loss.
FactPath factPath(const ActivationPatching& patching, const GradientTarget& metric,
                  Progress& progress);

} // namespace headscope
