#pragma once

#include <cstdint>

namespace headscope {

/// Coefficients of one Adam update, the same for every parameter.
struct AdamCoefficients
{
    float gradientScale = 1.0F; ///< Factor from gradient clipping.
    float beta1 = 0.9F;
    float beta2 = 0.999F;
    float stepSize = 0.0F;          ///< Learning rate / (1 - beta1^t).
    float secondMomentScale = 1.0F; ///< Factor 1 / sqrt(1 - beta2^t).
    float epsilon = 1e-8F;
    float keep = 1.0F;         ///< Decoupled decay: 1 - rate * decay.
    float coupledDecay = 0.0F; ///< L2 decay: this much of the weight is added to the gradient.
};

/// Coefficients of one update of gradient descent with momentum.
struct SgdCoefficients
{
    float gradientScale = 1.0F;
    float rate = 0.0F;
    float momentum = 0.0F;
    float decay = 0.0F;
};

/// Dropout decisions for a range of rows: row r, column c of a site. See dropout.h.
struct DropoutRows
{
    std::uint64_t key = 0;
    std::uint32_t threshold = 0; ///< Values with 16 random bits below this are dropped.
    float scale = 1.0F;          ///< Factor of kept values.
    std::int64_t firstRow = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

/// Inner loops of all operators, row-major and contiguous. One instance per instruction set; the
/// operators' headers document what each computes. Null is allowed where stated.
struct Kernels
{
    /// Computes y = activation(sum); sum = x + bias (null: 0), written to `sum` unless null. y may
    /// be x.
    using Activate = void (*)(const float* x, const float* bias, float* sum, float* y,
                              std::int64_t rows, std::int64_t columns);
    /// Computes gradient *= activation'(sum); y = activation(sum) and biasGradient += its column
    /// sums unless null.
    using ActivateBackward = void (*)(const float* sum, float* y, float* gradient,
                                      float* biasGradient, std::int64_t rows, std::int64_t columns);

    /// Computes y = activation(gate) * up, [gate, up] = sum = gateUp + bias; null as in Activate.
    using Gate = void (*)(const float* gateUp, const float* bias, float* sum, float* y,
                          std::int64_t rows, std::int64_t width);
    /// Writes dGateUp, which may be sum; y and biasGradient as in ActivateBackward.
    using GateBackward = void (*)(const float* sum, const float* dy, float* dGateUp, float* y,
                                  float* biasGradient, std::int64_t rows, std::int64_t width);
    /// Normalises x; beta, mean and inverseDeviation may be null. y may be x.
    using Norm = void (*)(const float* x, const float* gamma, const float* beta, float epsilon,
                          float* y, float* mean, float* inverseDeviation, std::int64_t rows,
                          std::int64_t columns);
    /// Adds to dx, dGamma and dBeta; the last two may be null.
    using NormBackward = void (*)(const float* x, const float* gamma, const float* mean,
                                  const float* inverseDeviation, const float* dy, float* dx,
                                  float* dGamma, float* dBeta, std::int64_t rows,
                                  std::int64_t columns);
    static constexpr int kActivations = 8;
    static constexpr int kNorms = 4;

    const char* name = nullptr;
    Activate activate[kActivations] = {}; ///< Indexed by ActivationKind, like the next three.
    ActivateBackward activateBackward[kActivations] = {};
    Gate gate[kActivations] = {};
    GateBackward gateBackward[kActivations] = {};
    Norm norm[kNorms] = {}; ///< Indexed by NormKind.
    NormBackward normBackward[kNorms] = {};
    void (*exponential)(const float* x, float* y, std::int64_t count) = nullptr;

    /// Computes y = x + bias in each row. y may be x.
    void (*addBias)(const float* x, const float* bias, float* y, std::int64_t rows,
                    std::int64_t columns) = nullptr;
    void (*add)(const float* x, float* y, std::int64_t count) = nullptr; ///< Computes y += x.
    /// Adds the column sums of x to `sums`.
    void (*columnSums)(const float* x, float* sums, std::int64_t rows,
                       std::int64_t columns) = nullptr;
    /// Computes y = scale * embedding row + position row (null: 0).
    void (*scaleAdd)(const float* row, float scale, const float* position, float* y,
                     std::int64_t columns) = nullptr;
    void (*addScaled)(const float* x, float scale, float* y,
                      std::int64_t count) = nullptr; ///< Computes y += scale x.

    Norm layerNorm = nullptr; ///< Kernel of NormKind::Layer.

    void (*softmax)(const float* x, float* y, std::int64_t rows, std::int64_t columns) = nullptr;
    void (*softmaxBackward)(const float* y, const float* dy, float* dx, std::int64_t rows,
                            std::int64_t columns) = nullptr;
    /// Loss of one row in nats; gradient (null: not wanted; may be logits) = scale * d loss / d
    /// logits.
    double (*crossEntropy)(const float* logits, std::int64_t columns, std::int32_t target,
                           float smoothing, float scale, float* gradient) = nullptr;

    void (*dropout)(const DropoutRows& mask, const float* x,
                    float* y) = nullptr; ///< Computes y = mask x; y may be x.
    void (*dropoutAdd)(const DropoutRows& mask, const float* x,
                       float* y) = nullptr; ///< Computes y += mask x.
    void (*dropoutKeep)(const DropoutRows& mask,
                        std::uint8_t* keep) = nullptr; ///< Writes 1 = kept.

    /// Adds others[.][i] to total[i], in that order; returns the sum of squares of the result.
    double (*reduce)(float* total, const float* const* others, std::int64_t otherCount,
                     std::int64_t first, std::int64_t count) = nullptr;
    void (*adam)(const AdamCoefficients& coefficients, const float* gradient, float* m, float* v,
                 float* weight, std::int64_t count) = nullptr;
    void (*sgd)(const SgdCoefficients& coefficients, const float* gradient, float* buffer,
                float* weight, std::int64_t count) = nullptr;
};

/// Kernels for the widest instruction set of this processor, or for the one that the environment
/// variable HEADSCOPE_ISA=baseline|avx2|avxvnni|avx512 names; avxvnni is avx2 with VNNI. Throws
/// Error when that set is unknown or missing here.
const Kernels& kernels();

/// True when integer products use VNNI instructions: wherever the processor has them with the
/// widths of kernels(), unless HEADSCOPE_ISA is avx2.
bool usesVnni();

/// True when this processor has VNNI instructions for the named set, avx2 or avx512.
bool hasVnni(const char* name);

/// Kernels by name ("baseline", "avx2", "avxvnni", "avx512"), or null when this build or processor lacks them.
const Kernels* kernelsFor(const char* name);

} // namespace headscope
