#pragma once

#include "core/tensor/tensor.h"

#include <span>

namespace headscope {

constexpr std::int32_t kIgnoreIndex = -100; ///< Target of a row without loss.

/// How label smoothing s distributes its part of the target (Szegedy et al. 2016).
enum class LabelSmoothing {
    Uniform, ///< (1 - s) one-hot + s / V over all V classes
    /// Target 1 - s, s / (V - 2) on every other class but padding, which is class 0; the loss is
    /// the KL divergence, and a target of 0 has none (The Annotated Transformer).
    AnnotatedTransformer,
};

/// Number of targets that count: not ignored and, with AnnotatedTransformer, not padding.
std::int64_t keptTargets(std::span<const std::int32_t> targets,
                         LabelSmoothing convention = LabelSmoothing::Uniform);

struct CrossEntropySettings
{
    float smoothing = 0.0F;
    float scale = 1.0F; ///< Factor of the gradient: 1 / keptTargets for the mean.
    LabelSmoothing convention = LabelSmoothing::Uniform;
};

/// Sum over the rows of -log softmax(logits)[target], in nats, or of its smoothed form; rows that
/// do not count add nothing and get gradient 0. logits: [..., V]; gradient: the same or empty, may
/// be the logits themselves; perRow: [rows] or empty. Throws ShapeError for a target outside the
/// vocabulary.
double crossEntropy(TensorView logits, std::span<const std::int32_t> targets,
                    const CrossEntropySettings& settings, MutableTensorView gradient = {},
                    std::span<float> perRow = {});

} // namespace headscope
