#pragma once

#include "core/trace/trace.h"

#include <span>
#include <vector>

namespace headscope {

/// How much of each token's stream after a layer comes from each input token, if attention and the
/// residual connection carry half of it each and feed-forward parts mix nothing (Abnar, Zuidema
/// 2020, section 3): R_l = M_l ... M_0 with M = 0.5 mean over heads of A + 0.5 I, rows divided by
/// their sums. `patterns` are [heads, n, n], first layer first; so many [n, n] are returned. Throws
/// ShapeError for patterns of other shapes.
std::vector<Tensor> attentionRollout(std::span<const TensorView> patterns);

/// Of one stack's self-attention. Throws Error when the trace lacks the pattern of a layer.
std::vector<Tensor> attentionRollout(const Trace& trace, Stack stack = Stack::Blocks);

} // namespace headscope
