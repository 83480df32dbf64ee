#pragma once

#include "core/tensor/tensor.h"

#include <span>

namespace headscope {

/// Operands of y[i] = scale * table[ids[i]] (+ positions[(firstPosition + i) % length] when given).
/// table: [vocabulary, d], positions: [at least length, d] or empty, y: [ids, d]. Throws ShapeError
/// for an id outside the matrix.
struct EmbeddingInputs
{
    TensorView table;
    std::span<const std::int32_t> ids;
    float scale = 1.0F;
    TensorView positions;
    std::int64_t firstPosition = 0;
    std::int64_t length = 0; ///< 0: one sequence of ids.size() tokens
};

void embedding(const EmbeddingInputs& inputs, MutableTensorView y);

/// Adds scale * dy[i] to row ids[i] of tableGradient and, where wanted, dy[i] to its position's
/// row.
void embeddingBackward(const EmbeddingInputs& inputs, TensorView dy,
                       MutableTensorView tableGradient, MutableTensorView positionsGradient = {});

} // namespace headscope
