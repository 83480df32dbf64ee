#pragma once

#include "core/attention/attention_backend.h"

namespace headscope {

/// Attention of one sequence as products with an explicit pattern: for patterns that someone edited
/// and for gradients at them. Plain loops; pattern and its gradient: [1, heads, queries, keys].

/// context = pattern values.
void contextOfPattern(const AttentionInputs& inputs, TensorView pattern, MutableTensorView context);

/// d pattern[h, i, j] = d context[h, i] . values[h, j].
void patternGradient(const AttentionInputs& inputs, TensorView contextGradient,
                     MutableTensorView patternGradient);

/// d scores = pattern (d pattern - sum_j pattern d pattern): of the softmax.
void scoresGradient(TensorView pattern, TensorView patternGradient, MutableTensorView scores);

/// Gradients of queries, keys and values from those of the scores and the context.
void backwardOfPattern(const AttentionInputs& inputs, TensorView pattern, TensorView scoresGradient,
                       TensorView contextGradient, const AttentionGradients& gradients);

} // namespace headscope
