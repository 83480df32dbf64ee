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
    AdamW, ///< decoupled decay (Loshchilov, Hutter 2019)
    Adam,  ///< decay, if any, is added to the gradient (Kingma, Ba 2015; L2)
    Sgd,   ///< momentum buffer = momentum * buffer + gradient; decay as for Adam
};

struct OptimizerSettings
{
    double learningRate = 3e-4;
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
    double weightDecay = 0.1;
    bool decayMatricesOnly = true;        ///< decay only parameters with two axes
    std::optional<double> clipNorm = 1.0; ///< global norm
    OptimizerKind kind = OptimizerKind::AdamW;
    double momentum = 0.9; ///< of Sgd
};

struct LossSettings
{
    double labelSmoothing = 0.0; ///< of token targets in training; evaluation never smooths
    LabelSmoothing convention = LabelSmoothing::Uniform;

    friend bool operator==(const LossSettings&, const LossSettings&) = default;
};

/// What a loss is made of. Each is a mean; absent where the model or the batch has no such part.
struct LossParts
{
    double token = 0.0;                 ///< cross-entropy, nats a target that counts
    std::optional<double> nextSentence; ///< cross-entropy, nats a pair
    std::optional<double> balance;      ///< of the experts' router, before its coefficient
};

/// The norm of the gradient of one part of a model: "embeddings", "h.0", "enc.1", "head".
struct GradientNorm
{
    std::string layer;
    double norm = 0.0;
};

struct StepReport
{
    std::int64_t step = 0; ///< updates done, this one included
    double loss = 0.0;     ///< token + next sentence + coefficient * balance, before the update
    double learningRate = 0.0;
    double gradientNorm = 0.0; ///< before clipping
    std::int64_t tokens = 0;
    double seconds = 0.0;
    LossParts parts;
};

/// exp of a mean loss in nats a token.
inline double perplexity(double meanLoss)
{
    return std::exp(meanLoss);
}

} // namespace headscope
