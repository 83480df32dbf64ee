#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// Which keys a query may attend to: no other key changes its context, not even one whose vectors
/// are NaN. (Gradients are sums over all queries, so that NaN anywhere may reach them.) All given
/// conditions hold at once. Query i of queryTokens sits at position i + keyTokens - queryTokens, so
/// a cached decoding step is just a short query block.
struct AttentionMask
{
    bool causal = false;
    std::int64_t window = 0; ///< w > 0: only keys with |query position - key position| < w

    /// [batch, queryTokens, keyTokens] bytes, 1 = may attend; null = all. Strides in elements;
    /// a batch stride of 0 shares one mask, a query stride of 0 makes it a key padding mask.
    const std::uint8_t* allowed = nullptr;
    std::int64_t allowedBatchStride = 0;
    std::int64_t allowedQueryStride = 0;
};

/// Operands of one attention layer. The order is: scores = scale * q k^T; soft cap; + bias; mask;
/// softmax; dropout; times v (Vaswani et al. 2017, eq. 1). Query head h uses key head
/// h * keyHeads / queryHeads. The last axis of every view is contiguous.
struct AttentionInputs
{
    TensorView queries; ///< [batch, queryHeads, queryTokens, headDim]
    TensorView keys;    ///< [batch, keyHeads, keyTokens, headDim]; keyHeads divides queryHeads
    TensorView values;  ///< [batch, keyHeads, keyTokens, valueDim]
    float scale = 1.0F; ///< usually 1 / sqrt(headDim)
    AttentionMask mask;
    TensorView bias; ///< [queryHeads, queryTokens, keyTokens], added to scaled scores; optional
    TensorView
        alibiSlopes;      ///< [queryHeads]: adds slope * (key position - query position); optional
    float softCap = 0.0F; ///< c > 0: s = c * tanh(s / c), after scaling
    const std::uint8_t* keep =
        nullptr;          ///< dropout: [batch, queryHeads, queryTokens, keyTokens], dense
    float dropout = 0.0F; ///< probability; kept weights are divided by 1 - dropout
};

/// Destinations. An empty optional view means "not wanted" and must cost nothing.
/// A row without any allowed key has pattern 0, context 0, logSumExp -inf and no gradient.
struct AttentionOutputs
{
    MutableTensorView context;   ///< [batch, queryHeads, queryTokens, valueDim], required
    MutableTensorView pattern;   ///< [batch, queryHeads, queryTokens, keyTokens], before dropout
    MutableTensorView scores;    ///< as pattern: after scale, soft cap and bias, before the mask
    MutableTensorView logSumExp; ///< [batch, queryHeads, queryTokens] of the masked scores
};

/// What backward needs besides the operands: the forward's results and the upstream gradient.
struct AttentionSaved
{
    TensorView context;         ///< as AttentionOutputs::context
    TensorView logSumExp;       ///< as AttentionOutputs::logSumExp
    TensorView contextGradient; ///< shape of context
};

/// Overwritten, not added to. `bias` is optional.
struct AttentionGradients
{
    MutableTensorView queries;
    MutableTensorView keys;
    MutableTensorView values;
    MutableTensorView bias; ///< summed over the batch
};

/// Scaled dot-product attention on one device. Every implementation agrees with
/// ReferenceAttention within tests/support/tolerances.h. Use one instance per thread.
class AttentionBackend
{
public:
    virtual ~AttentionBackend() = default;

    /// Stable identifier for settings, logs and test names: "reference", "cpu", "opencl".
    virtual std::string_view name() const = 0;

    /// Where the last call ran and why, for the status line: "CPU", "OpenCL: NVIDIA H100".
    virtual std::string describe() const = 0;

    /// False when a device limit or an unsupported operand rules these out; FallbackAttention then
    /// goes on.
    virtual bool supports(const AttentionInputs& inputs) const = 0;

    /// Checks every shape, then computes. Throws ShapeError or BackendError; after a throw the
    /// contents of the outputs are unspecified.
    void forward(const AttentionInputs& inputs, const AttentionOutputs& outputs);
    void backward(const AttentionInputs& inputs, const AttentionSaved& saved,
                  const AttentionGradients& gradients);

private:
    /// May assume valid, supported operands.
    virtual void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) = 0;
    virtual void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                 const AttentionGradients& gradients) = 0;
};

} // namespace headscope
