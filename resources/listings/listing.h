#pragma once

#include "core/ops/activations.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/matmul.h"
#include "core/ops/norm.h"
#include "core/ops/parameter_updates.h"
#include "core/ops/softmax.h"
#include "core/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace headscope::listing {

// Short names for the program's own operations (core/ops) on matrices [rows, columns], so that a
// listing shows one operation a line.

inline Tensor times(const Tensor& a, const Tensor& b) ///< Matrix product [n, m] x [m, d].
{
    const std::int64_t n = a.shape()[0];
    const std::int64_t m = a.shape()[1];
    const std::int64_t d = b.shape()[1];
    Tensor product({n, d});
    matmul(Transpose::No, Transpose::No, n, d, m, 1.0F, a.data(), m, b.data(), d, 0.0F,
           product.data(), d);
    return product;
}

inline Tensor transposed(const Tensor& a)
{
    Tensor result({a.shape()[1], a.shape()[0]});
    for (std::int64_t i = 0; i < a.shape()[0]; ++i)
        for (std::int64_t j = 0; j < a.shape()[1]; ++j)
            result.view()(j, i) = a.view()(i, j);
    return result;
}

/// a + b; b may be one row for all rows of a.
inline Tensor plus(Tensor a, const Tensor& b)
{
    for (std::size_t i = 0; i < a.size(); ++i)
        a.data()[i] += b.data()[i % b.size()];
    return a;
}

inline Tensor scaledBy(Tensor a, double factor)
{
    for (float& value : a.values())
        value = static_cast<float>(factor * static_cast<double>(value));
    return a;
}

inline Tensor softmax(Tensor scores) ///< Softmax over each row.
{
    headscope::softmax(scores.view(), scores.view());
    return scores;
}

inline Tensor activated(ActivationKind kind, Tensor x)
{
    activation(kind, x.view(), {}, x.view());
    return x;
}

inline Tensor layerNorm(Tensor x, const Tensor& gamma, const Tensor& beta, double epsilon)
{
    NormParameters parameters;
    parameters.epsilon = static_cast<float>(epsilon);
    parameters.gamma = TensorView(gamma.data(), {x.shape().back()});
    parameters.beta = TensorView(beta.data(), {x.shape().back()});
    norm(parameters, x.view(), x.view());
    return x;
}

inline Tensor rowsOf(const Tensor& x, std::int64_t first, std::int64_t count)
{
    Tensor result({count, x.shape()[1]});
    std::copy_n(x.data() + first * x.shape()[1], result.size(), result.data());
    return result;
}

inline Tensor columnsOf(const Tensor& x, std::int64_t first, std::int64_t count)
{
    return transposed(rowsOf(transposed(x), first, count));
}

/// Matrices below each other.
inline Tensor stacked(const std::vector<Tensor>& parts)
{
    std::int64_t rows = 0;
    for (const Tensor& part : parts)
        rows += part.shape()[0];
    Tensor result({rows, parts.front().shape()[1]});
    float* to = result.data();
    for (const Tensor& part : parts)
        to = std::copy_n(part.data(), part.size(), to);
    return result;
}

} // namespace headscope::listing
