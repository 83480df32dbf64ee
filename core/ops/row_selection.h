#pragma once

#include "core/tensor/tensor.h"

#include <span>

namespace headscope {

// Rows sent to an expert and returned. Each function throws ShapeError for an index out of range;
// an index may occur more than once. Scales: one per selected row, or empty for 1.

/// Gathers y[i] = scales[i] * x[indices[i]]. x: [rows, d], y: [indices, d].
void gatherRows(TensorView x, std::span<const std::int32_t> indices, MutableTensorView y,
                std::span<const float> scales = {});

/// Scatters y[indices[i]] += scales[i] * x[i], the gradient of gatherRows. x: [indices, d], y:
/// [rows, d]. Its own gradients are gatherRows for x and selectedRowDots for the scales.
void scatterAddRows(TensorView x, std::span<const std::int32_t> indices, MutableTensorView y,
                    std::span<const float> scales = {});

/// Dot products dots[i] = <x[i], y[indices[i]]>. x: [indices, d], y: [rows, d].
void selectedRowDots(TensorView x, TensorView y, std::span<const std::int32_t> indices,
                     std::span<float> dots);

} // namespace headscope
