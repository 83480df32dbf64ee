#pragma once

#include "core/analysis/heads/head_circuits.h"
#include "core/analysis/lens/triangular_factor.h"

namespace headscope::test {

/// W_Q W_K^T and W_V W_O as [d, d].
inline Tensor queryKeyCircuit(const HeadMatrices& head)
{
    return toTensor(toEigen(head.query.view()) * toEigen(head.key.view()).transpose());
}

inline Tensor outputValueCircuit(const HeadMatrices& head)
{
    return toTensor(toEigen(head.value.view()) * toEigen(head.output.view()));
}

} // namespace headscope::test
