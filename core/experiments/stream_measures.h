#pragma once

#include "core/experiments/experiment_measures.h"

namespace headscope {

/// Residual stream of a few held-out texts. Numbers stream_first, stream_last (mean norm of a
/// token's vector before the first block and after the last one) and likeness (mean cosine between
/// two tokens of a text after the last block: 1 where all are alike), each after training and, as
/// start_stream_last and start_likeness, before; series stream_norms by block, after training.
void addStream(const TrainedVariant& variant, VariantResult& result);

/// Mean cosine between two different rows of x [n, d], n >= 2.
double meanCosine(TensorView x);

} // namespace headscope
