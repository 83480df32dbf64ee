#pragma once

#include <cstdint>

namespace headscope {

enum class Transpose { No, Yes };

/// Computes C[m, n] = alpha * op(A)[m, k] op(B)[k, n] + beta * C, row-major, leading dimensions in
/// elements. Runs on the calling thread alone: callers split work with parallelFor. Uses oneDNN
/// where it was built in, otherwise Eigen.
void matmul(Transpose transposeA, Transpose transposeB, std::int64_t m, std::int64_t n,
            std::int64_t k, float alpha, const float* a, std::int64_t lda, const float* b,
            std::int64_t ldb, float beta, float* c, std::int64_t ldc);

} // namespace headscope
