#pragma once

#include "core/ops/activations.h"

namespace headscope {

/// Gated activation y = f(gate) * up (Shazeer 2020: SwiGLU with f = SiLU, GEGLU with f = GELU).
/// gateUp: [..., 2 f], the gate's columns first; bias: [2 f] or empty, added first; y: [..., f].
/// `sum`, where wanted, receives gateUp + bias for backward and may be gateUp.
void gatedActivation(ActivationKind kind, TensorView gateUp, TensorView bias, MutableTensorView y,
                     MutableTensorView sum = {});

/// Backward pass. sum: the forward's [..., 2 f]; dy: [..., f]; dGateUp: [..., 2 f], overwritten,
/// may be sum. `y`, where wanted, receives the forward's result once more and may be dy.
/// biasGradient [2 f], where wanted, is added to.
void gatedActivationBackward(ActivationKind kind, TensorView sum, TensorView dy,
                             MutableTensorView dGateUp, MutableTensorView y = {},
                             MutableTensorView biasGradient = {});

} // namespace headscope
