#pragma once

#include "core/analysis/causal/activation_patching.h"

namespace headscope {

/// One place of a step, and how much of the metric it brings back (normalised patching).
struct FactPlace
{
    int layer = -1;    ///< -1: not of one layer
    int position = -1; ///< -1: not of one token
    int head = -1;     ///< -1: not of one head
    double restored = 0.0;

    int looksAt = -1;  ///< of a head: the token that the metric's row attends to most, when clean
    double weight = 0; ///< how much
};

/// What the model says at the metric's row.
struct FactAnswer
{
    TokenId top = 0;
    double topProbability = 0.0;
    TokenId answer = 0; ///< the token that the metric asks for
    double answerProbability = 0.0;
    int answerRank = 0; ///< 1: the top
};

/// One step of the way, by what it asks.
struct FactStep
{
    enum class Kind {
        Answer,     ///< what the model says, clean and corrupted
        Tokens,     ///< which tokens hold the fact in the early layers
        MlpLayers,  ///< which feed-forward parts bring it back, and at which token
        AttnLayers, ///< the same of attention
        Heads,      ///< which heads bring it back, and where they look from the metric's row
        Lens,       ///< from which layer on the answer is what the stream would predict
    };

    Kind kind = Kind::Answer;
    std::vector<FactPlace> places;  ///< most first; of Lens: every layer, with the probability
    std::optional<PatchSite> shows; ///< the grid that these numbers come from
};

/// How a fact comes from the tokens that hold it to the prediction, from numbers alone.
struct FactPath
{
    std::int64_t row = 0; ///< that the metric reads
    double clean = 0.0;
    double corrupted = 0.0;
    FactAnswer cleanAnswer;
    FactAnswer corruptedAnswer;
    int topFrom = -1; ///< layer from which on the lens's top is the answer; -1: never
    std::vector<FactStep> steps;
    std::vector<PatchGrid> grids; ///< resid_pre, mlp_out (where there is one), attn_out, out

    const PatchGrid* grid(PatchSite site) const;
};

/// From any pair whose metric reads one row: a fact with another subject, or "A B ... A" with B
/// changed. Throws Error for a loss.
FactPath factPath(const ActivationPatching& patching, const GradientTarget& metric,
                  Progress& progress);

} // namespace headscope
