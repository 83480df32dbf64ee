#pragma once

#include "core/tensor/tensor.h"

#include <span>

namespace headscope {

// Rows that go to an expert and come back. Each function throws ShapeError for an index outside its
// rows; an index may occur more than once. Scales: one a selected row, or none for 1.

/// y[i] = scales[i] * x[indices[i]]. x: [rows, d], y: [indices, d].
void gatherRows(TensorView x, std::span<const std::int32_t> indices, MutableTensorView y,
                std::span<const float> scales = {});

/// y[indices[i]] += scales[i] * x[i], the gradient of gatherRows. x: [indices, d], y: [rows, d].
/// Its own gradients are gatherRows for x and selectedRowDots for the scales.
void scatterAddRows(TensorView x, std::span<const std::int32_t> indices, MutableTensorView y,
                    std::span<const float> scales = {});

/// dots[i] = <x[i], y[indices[i]]>. x: [indices, d], y: [rows, d].
void selectedRowDots(TensorView x, TensorView y, std::span<const std::int32_t> indices,
                     std::span<float> dots);

} // namespace headscope
