#pragma once

#include "core/attention/attention_backend.h"

namespace headscope {

// Attention sinks in terms of attention without them, so that no kernel needs to know them. With
// logit s of a head and log-sum-exp L of a row's scores, the row's weights and context are
// multiplied by exp(L - L'), where L' = log(exp(L) + exp(s)).

/// Turns results computed without the sinks into those with them. `logSumExp` is that of the scores
/// alone and is overwritten; `outputs.logSumExp` is not used.
void applySinks(const AttentionInputs& inputs, MutableTensorView logSumExp,
                const AttentionOutputs& outputs);

/// Adds d loss / d s of each head: minus the sink's weight times context . d context, summed over
/// all rows. `saved` holds results with the sinks.
void addSinkGradients(const AttentionInputs& inputs, const AttentionSaved& saved,
                      MutableTensorView gradients);

} // namespace headscope
