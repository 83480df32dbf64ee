#pragma once

#include "core/model/weights/weight_precision.h"

#include <cstdint>

namespace headscope {

/// Columns of one panel of packed weights.
constexpr std::int64_t kPanelColumns = 32;

/// Product out[rows, columns] = in[rows, depth] * panels + bias, for the panels [firstPanel,
/// lastPanel). Every output is one sum over the depth in ascending order, whatever the number of
/// rows: a row computed alone has the same bits as among others. Half-precision weights are widened
/// exactly: the bits are those of the same numbers as floats.
struct PackedProduct
{
    const float* in = nullptr;
    std::int64_t inStride = 0;
    std::int64_t rows = 0;
    /// Panels [panels, depth, kPanelColumns] of numbers of this precision, zeros beyond the last
    /// column, at a multiple of 64 bytes.
    const void* panels = nullptr;
    const float* bias = nullptr; ///< Bias [panels * kPanelColumns].
    std::int64_t depth = 0;
    std::int64_t columns = 0;
    float* out = nullptr;
    std::int64_t outStride = 0;
    std::int64_t firstPanel = 0;
    std::int64_t lastPanel = 0;
    WeightPrecision precision = WeightPrecision::Float32;
};

namespace baseline {
void multiplyPanels(const PackedProduct& product);
}

namespace avx2 {
void multiplyPanels(const PackedProduct& product);
}

namespace avx512 {
void multiplyPanels(const PackedProduct& product);
}

} // namespace headscope
