#pragma once

#include "core/model/recurrent/recurrent_model.h"

#include <memory>

namespace headscope {

/// Sequences of equal length, position by position: ids[position * rows + row].
struct RecurrentText
{
    std::span<const TokenId> ids;
    std::int64_t rows = 1;

    std::int64_t length() const { return static_cast<std::int64_t>(ids.size()) / rows; }
};

/// Forward and backward pass of a recurrent model. Owns its activations; one instance per thread.
class RecurrentPass
{
public:
    explicit RecurrentPass(const RecurrentConfig& config);

    /// Returns logits [length * rows, V], position by position, valid until the next call. Continues
    /// what `memory` has read and updates it. Throws ShapeError for ids outside the vocabulary.
    TensorView forward(const RecurrentModel& model, const RecurrentText& text,
                       RecurrentMemory& memory);

    /// Cross-entropy in nats summed over the targets, laid out as the ids, after forward(); kIgnoreIndex:
    /// none. Replaces the logits by their gradient times `scale`.
    double loss(std::span<const TokenId> targets, float scale);

    /// Backpropagation through time, after loss(). Overwrites `gradients` (recurrentLayout).
    /// Positions before `firstStep` get no gradient.
    void backward(const RecurrentModel& model, const RecurrentText& text,
                  std::span<float> gradients, std::int64_t firstStep = 0);

    /// Gradient of the embedded tokens [length, rows, hidden], after backward().
    TensorView inputGradients() const { return m_dHidden.view(); }

private:
    RecurrentConfig m_config;
    std::vector<std::unique_ptr<RecurrentLayer>> m_layers;
    std::vector<Tensor> m_inputs; ///< Input of each layer, and the last one's output.
    Tensor m_logits;              ///< [length * rows, V].
    Tensor m_dHidden;             ///< [length, rows, hidden].
    Tensor m_dInput;
};

} // namespace headscope
