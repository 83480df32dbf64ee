#pragma once

#include "core/tensor/tensor.h"

#include <span>

namespace headscope {

constexpr std::int32_t kIgnoreIndex = -100; ///< a target without loss

/// Targets that count.
std::int64_t keptTargets(std::span<const std::int32_t> targets);

struct CrossEntropySettings
{
    float smoothing = 0.0F; ///< target distribution (1 - s) one-hot + s / V over all V classes
    float scale = 1.0F;     ///< of the gradient: 1 / keptTargets for the mean
};

/// Sum over the rows of -log softmax(logits)[target], in nats; ignored rows add nothing and get
/// gradient 0. logits: [..., V]; gradient: the same or empty, may be the logits themselves; perRow:
/// [rows] or empty. Throws ShapeError for a target outside the vocabulary.
double crossEntropy(TensorView logits, std::span<const std::int32_t> targets,
                    const CrossEntropySettings& settings, MutableTensorView gradient = {},
                    std::span<float> perRow = {});

} // namespace headscope
