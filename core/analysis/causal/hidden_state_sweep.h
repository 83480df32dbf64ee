#pragma once

#include "core/analysis/causal/ablation_sweep.h"

namespace headscope {

/// Mean cosine distance (1 - cosine) of a row before and after; both [n, d]. NaN where a row is 0.
double turnOf(TensorView before, TensorView after);

/// Ablation sweep for a model without a language head, which has neither logits nor a loss: the
/// output of each head is set to 0 in turn, and the metric is the cosine distance of the final
/// hidden states (turnOf), 0 with all heads. Complete forward passes, since the final state is
/// needed. Throws Cancelled through `progress`.
AblationSweep hiddenStateSweep(const Model& model, const CausalText& text,
                               const BackendFactory& backends, Progress& progress);

} // namespace headscope
