#pragma once

#include "core/model/weights/integer_linear_kernels.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace headscope {

/// Memory for the rows of one product, rounded to 8 bits. Reused by the next product.
class RoundedInput
{
public:
    /// Rounds `in` [rows, depth], whose depth is a multiple of kRoundedBlock. The result is valid
    /// until the next call.
    RoundedRows round(TensorView in, RoundRow roundRow);

private:
    std::vector<signed char> m_codes;
    std::vector<float> m_scales;
    std::vector<float> m_sums;
    std::vector<std::int16_t> m_codeSums;
};

} // namespace headscope
