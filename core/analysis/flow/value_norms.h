#pragma once

#include "core/analysis/flow/contributions.h"

#include <stop_token>

namespace headscope {

/// How long what attention moves is, not only how much weight it has (Kobayashi et al. 2020,
/// "Attention is Not Only a Weight", section 3): f_h(x_j) = (x_j W_V + b_V) W_O^h, of the trace's
/// own values, so that rotary positions, shared key heads, latent attention and attention to a
/// source are as they ran. The output bias b_O belongs to no token and is left out.

/// [h, n, m]: |A_hij f_h(x_j)| = A_hij |f_h(x_j)|. Heads whose output an intervention replaced
/// (replacedHeads) move nothing from any token: 0. Throws Error when the trace lacks the pattern or
/// the values, Cancelled.
Tensor valueNorms(const Trace& trace, const Model& model, SublayerPlace place,
                  const std::stop_token& stop = {});

/// Heads of this sublayer whose output an intervention replaced.
std::vector<int> replacedHeads(const Trace& trace, const Model& model, SublayerPlace place);

/// Rows of the last axis divided by their sums, for display on attention's own scale. A row without
/// any stays 0.
Tensor rowsToOne(TensorView weights);

} // namespace headscope
