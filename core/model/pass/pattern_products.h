#pragma once

#include "core/attention/attention_backend.h"

namespace headscope {

/// Attention of one sequence as products with an explicit pattern: for edited patterns and for
/// gradients at them. Plain loops; pattern and its gradient: [1, heads, queries, keys].

/// Computes context = pattern values.
void contextOfPattern(const AttentionInputs& inputs, TensorView pattern, MutableTensorView context);

/// Computes d pattern[h, i, j] = d context[h, i] . values[h, j].
void patternGradient(const AttentionInputs& inputs, TensorView contextGradient,
                     MutableTensorView patternGradient);

/// Gradient of the softmax: d scores = pattern (d pattern - sum_j pattern d pattern).
void scoresGradient(TensorView pattern, TensorView patternGradient, MutableTensorView scores);

/// Gradients of queries, keys and values from those of the scores and the context.
void backwardOfPattern(const AttentionInputs& inputs, TensorView pattern, TensorView scoresGradient,
                       TensorView contextGradient, const AttentionGradients& gradients);

} // namespace headscope
