#pragma once

#include "core/experiments/experiment_measures.h"

namespace headscope {

/// What the statistics of a batch do to the loss of held-out texts. All losses are of the same 16
/// texts, in nats per token:
/// use_loss: as in use, with running statistics; batch_loss: normalised as in training, all 16 in
/// one batch; alone_loss: as in training, each text a batch of its own.
/// neighbour_change: mean |change| of one text's loss when the other 15 texts of its batch are
/// replaced. padding_change: |change| when padding behind texts of half the length counts as tokens.
/// Series length_change: change of the loss of the first n tokens when the batch ends after them;
/// short_change: at 4 tokens.
/// All but use_loss are what training would see; a norm that looks at one token alone changes
/// nothing. For a causal decoder: no token attends to what is replaced, padded or cut.
void addBatches(const TrainedVariant& variant, VariantResult& result);

} // namespace headscope
