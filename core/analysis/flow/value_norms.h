#pragma once

#include "core/analysis/flow/contributions.h"

#include <stop_token>

namespace headscope {

/// Norms of the vectors that attention moves, not only its weights (Kobayashi et al. 2020,
/// "Attention is Not Only a Weight", section 3): f_h(x_j) = (x_j W_V + b_V) W_O^h, from the trace's
/// own values, so that rotary positions, shared key heads, latent attention and cross-attention are
/// included as computed. The output bias b_O belongs to no token and is left out.

/// Norms |A_hij f_h(x_j)| = A_hij |f_h(x_j)|, [h, n, m]. Heads whose output an intervention
/// replaced (replacedHeads) move nothing from any token: 0. Throws Error when the trace lacks the
/// pattern or the values, Cancelled.
Tensor valueNorms(const Trace& trace, const Model& model, SublayerIndex place,
                  const std::stop_token& stop = {});

/// Heads of this sublayer whose output an intervention replaced.
std::vector<int> replacedHeads(const Trace& trace, const Model& model, SublayerIndex place);

/// Rows of the last axis renormalised, for display on the scale of attention weights. A row of
/// zeros stays 0.
Tensor rowsToOne(TensorView weights);

} // namespace headscope
