#pragma once

#include "core/analysis/derivation/pair_explanation.h"
#include "ui/session/view_snapshot.h"
#include "ui/widgets/formula/math_node.h"

namespace headscope::ui {

/// q.k / root d_k = dot / root = score, with soft cap and bias where the model has them.
Math qkScoreFormula(const PairExplanation& explanation, TokenPair pair);

/// exp(score - largest) / sum = weight; what the trace holds when that differs.
Math qkWeightFormula(const PairExplanation& explanation);

/// The weight in A and in B, and their difference.
Math differenceFormula(const PairExplanation& a, const PairExplanation& b);

} // namespace headscope::ui
