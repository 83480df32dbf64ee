#pragma once

#include "core/analysis/heads/head_circuits.h"

namespace headscope::test {

/// W_Q W_K^T as [d, d].
inline Tensor queryKeyCircuit(const HeadMatrices& head)
{
    const std::int64_t d = head.query.shape()[0];
    Tensor circuit({d, d});
    for (std::int64_t i = 0; i < d; ++i)
        for (std::int64_t j = 0; j < d; ++j) {
            double sum = 0.0;
            for (std::int64_t k = 0; k < head.query.shape()[1]; ++k)
                sum += double{head.query.view()(i, k)} * double{head.key.view()(j, k)};
            circuit.view()(i, j) = static_cast<float>(sum);
        }
    return circuit;
}

/// W_V W_O as [d, d].
inline Tensor outputValueCircuit(const HeadMatrices& head)
{
    const std::int64_t d = head.value.shape()[0];
    Tensor circuit({d, d});
    for (std::int64_t i = 0; i < d; ++i)
        for (std::int64_t j = 0; j < d; ++j) {
            double sum = 0.0;
            for (std::int64_t k = 0; k < head.value.shape()[1]; ++k)
                sum += double{head.value.view()(i, k)} * double{head.output.view()(k, j)};
            circuit.view()(i, j) = static_cast<float>(sum);
        }
    return circuit;
}

} // namespace headscope::test
