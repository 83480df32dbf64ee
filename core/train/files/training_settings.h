#pragma once

#include "core/ops/cross_entropy.h"
#include "core/train/schedule.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

enum class OptimizerKind {
    AdamW, ///< Decoupled weight decay (Loshchilov, Hutter 2019).
    Adam,  ///< Weight decay, if any, is added to the gradient (Kingma, Ba 2015; L2).
    Sgd,   ///< Momentum buffer = momentum * buffer + gradient; weight decay as for Adam.
};

struct OptimizerSettings
{
    double learningRate = 3e-4;
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
    double weightDecay = 0.1;
    bool decayMatricesOnly = true;        ///< Apply weight decay only to parameters with two axes.
    std::optional<double> clipNorm = 1.0; ///< Global norm.
    OptimizerKind kind = OptimizerKind::AdamW;
    double momentum = 0.9; ///< Momentum of Sgd.
};

struct LossSettings
{
    /// Smoothing of token targets in training; evaluation never smooths.
    double labelSmoothing = 0.0;
    LabelSmoothing convention = LabelSmoothing::Uniform;

    friend bool operator==(const LossSettings&, const LossSettings&) = default;
};

/// Terms of a loss. Each is a mean; absent where the model or the batch has no such term.
struct LossParts
{
    double token = 0.0;                 ///< Cross-entropy, nats per target that counts.
    std::optional<double> nextSentence; ///< Cross-entropy, nats per pair.
    std::optional<double> balance; ///< Balance loss of the experts' router, before its coefficient.
};

/// Gradient norm of one part of a model: "embeddings", "h.0", "enc.1", "head".
struct GradientNorm
{
    std::string layer;
    double norm = 0.0;
};

struct StepReport
{
    std::int64_t step = 0; ///< Number of updates done, including this one.
    double loss = 0.0; ///< Loss before the update: token + next sentence + coefficient * balance.
    double learningRate = 0.0;
    double gradientNorm = 0.0; ///< Before clipping.
    std::int64_t tokens = 0;
    double seconds = 0.0;
    LossParts parts;
};

/// Perplexity: exp of a mean loss in nats per token.
inline double perplexity(double meanLoss)
{
    return std::exp(meanLoss);
}

} // namespace headscope
