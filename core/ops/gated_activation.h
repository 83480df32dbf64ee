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

/// Gate of gpt-oss (OpenAI 2025): y = (u + 1) g sigmoid(1.702 g), where g = min(gate, 7) and u = up
/// clamped to [-7, 7]. gateUp: [..., 2 f], the gate's columns first; bias: [2 f] or empty, added
/// first; y: [..., f]. `sum` receives gateUp + bias for backward and may be gateUp.
void clampedGate(TensorView gateUp, TensorView bias, MutableTensorView y, MutableTensorView sum);

/// Backward pass. sum: the forward's [..., 2 f]; dy: [..., f]; dGateUp: [..., 2 f], overwritten, may
/// be sum. `y`, where wanted, receives the forward's result once more and may be dy. biasGradient
/// [2 f], where wanted, is added to. Clamped numbers have no gradient.
void clampedGateBackward(TensorView sum, TensorView dy, MutableTensorView dGateUp,
                         MutableTensorView y = {}, MutableTensorView biasGradient = {});

} // namespace headscope
