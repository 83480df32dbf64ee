#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// Keys that a query may attend to: no other key affects its context, not even one whose vectors
/// are NaN. (Gradients are sums over all queries, so NaN anywhere may reach them.) All given
/// conditions apply at once. Query i of queryTokens has position i + keyTokens - queryTokens, so a
/// cached decoding step is just a short query block.
struct AttentionMask
{
    bool causal = false;
    std::int64_t window = 0; ///< Window w > 0: only keys with |query position - key position| < w.

    /// Allowed cells: [batch, queryTokens, keyTokens] bytes, 1 = may attend; null = all. Strides in
    /// elements; a batch stride of 0 shares one mask, a query stride of 0 makes it a key padding
    /// mask.
    const std::uint8_t* allowed = nullptr;
    std::int64_t allowedBatchStride = 0;
    std::int64_t allowedQueryStride = 0;
};

/// Operands of one attention layer. Order of operations: scores = scale * q k^T; soft cap; + bias;
/// mask; softmax (over the sink too); dropout; times v (Vaswani et al. 2017, eq. 1). Query head h uses key head h *
/// keyHeads / queryHeads. The last axis of every view is contiguous.
struct AttentionInputs
{
    TensorView queries; ///< Queries [batch, queryHeads, queryTokens, headDim].
    TensorView keys;   ///< Keys [batch, keyHeads, keyTokens, headDim]; keyHeads divides queryHeads.
    TensorView values; ///< Values [batch, keyHeads, keyTokens, valueDim].
    float scale = 1.0F; ///< Usually 1 / sqrt(headDim).
    AttentionMask mask;
    /// Bias [queryHeads, queryTokens, keyTokens], added to scaled scores; optional.
    TensorView bias;
    /// ALiBi slopes [queryHeads]: add slope * (key position - query position); optional.
    TensorView alibiSlopes;
    /// Sinks [queryHeads]: a logit per head that takes part in every row's softmax and has no value
    /// (gpt-oss, OpenAI 2025); optional. A row's weights and its sink's sum to 1.
    TensorView sinks;
    float softCap = 0.0F; ///< Soft cap c > 0: s = c * tanh(s / c), after scaling.
    const std::uint8_t* keep =
        nullptr;          ///< Dropout mask: [batch, queryHeads, queryTokens, keyTokens], dense.
    float dropout = 0.0F; ///< Probability; kept weights are divided by 1 - dropout.
};

/// Destinations. An empty optional view means "not wanted" and must cost nothing. A row without any
/// allowed key has pattern 0, context 0, logSumExp -inf and no gradient.
struct AttentionOutputs
{
    MutableTensorView context; ///< Context [batch, queryHeads, queryTokens, valueDim], required.
    /// Pattern [batch, queryHeads, queryTokens, keyTokens], before dropout.
    MutableTensorView pattern;
    MutableTensorView scores; ///< Like pattern: after scale, soft cap and bias, before the mask.
    /// Log-sum-exp [batch, queryHeads, queryTokens] of the masked scores and the sink.
    MutableTensorView logSumExp;
};

/// Values that backward needs besides the operands: the forward's results and the upstream
/// gradient.
struct AttentionSaved
{
    TensorView context;         ///< Context, as AttentionOutputs::context.
    TensorView logSumExp;       ///< Log-sum-exp, as AttentionOutputs::logSumExp.
    TensorView contextGradient; ///< Upstream gradient, in the shape of context.
};

/// Gradients, overwritten. `bias` is optional.
struct AttentionGradients
{
    MutableTensorView queries;
    MutableTensorView keys;
    MutableTensorView values;
    MutableTensorView bias;       ///< Summed over the batch.
    MutableTensorView sinks = {}; ///< [queryHeads], added to; optional.
};

/// Scaled dot-product attention on one device. Every implementation agrees with
/// ReferenceAttention within tests/support/tolerances.h. Use one instance per thread.
class AttentionBackend
{
public:
    virtual ~AttentionBackend() = default;

    /// Stable identifier for settings, logs and test names: "reference", "cpu", "opencl".
    virtual std::string_view name() const = 0;

    /// Device of the last call and why it was used, for the status line: "CPU", "OpenCL: NVIDIA
    /// H100".
    virtual std::string describe() const = 0;

    /// False when a device limit or an unsupported operand rules these out; FallbackAttention then
    /// takes over.
    virtual bool supports(const AttentionInputs& inputs) const = 0;

    /// Checks every shape, then computes. Throws ShapeError or BackendError; after a throw the
    /// contents of the outputs are unspecified.
    void forward(const AttentionInputs& inputs, const AttentionOutputs& outputs);
    void backward(const AttentionInputs& inputs, const AttentionSaved& saved,
                  const AttentionGradients& gradients);

private:
    void forwardWithSinks(const AttentionInputs& inputs, const AttentionOutputs& outputs);

    /// Operands are valid and supported.
    virtual void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) = 0;
    virtual void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                 const AttentionGradients& gradients) = 0;

    Tensor m_logSumExp; ///< Of rows with sinks where the caller does not want it.
};

} // namespace headscope
