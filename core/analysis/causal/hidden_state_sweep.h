#pragma once

#include "core/analysis/causal/ablation_sweep.h"

namespace headscope {

/// Mean over the rows of 1 - cosine of a row before and after; both [n, d]. NaN where a row is 0.
double turnOf(TensorView before, TensorView after);

/// The sweep of a model without a language head, which has neither logits nor a loss: the output of
/// each head is set to 0 in turn, and the metric is how far that turns the last hidden states
/// (turnOf), 0 with all heads. Whole passes, since the end is asked for. Throws Cancelled through
/// `progress`.
AblationSweep hiddenStateSweep(const Model& model, const CausalText& text,
                               const BackendFactory& backends, Progress& progress);

} // namespace headscope
