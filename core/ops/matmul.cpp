#include "core/ops/matmul.h"

#ifdef HEADSCOPE_ONEDNN
#include "core/ops/kernels.h"

#include <dnnl.h>
#include <omp.h>

#include <string_view>
#else
#include <Eigen/Core>
#endif

namespace headscope {

#ifdef HEADSCOPE_ONEDNN

namespace {

/// Keeps oneDNN from opening an OpenMP team inside each of our threads; parallelFor splits the
/// work.
void keepSingleThreaded()
{
    thread_local const bool done = [] {
        omp_set_num_threads(1);
        return true;
    }();
    static_cast<void>(done);
}

/// Limits oneDNN to the instruction set that our own kernels use. Has an effect only before its
/// first call.
void limitInstructionSet()
{
    static const bool done = [] {
        const std::string_view set = kernels().name;
        if (set == "baseline")
            dnnl_set_max_cpu_isa(dnnl_cpu_isa_sse41);
        else if (set == "avx2")
            dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx2);
        return true;
    }();
    static_cast<void>(done);
}

} // namespace

void matmul(Transpose transposeA, Transpose transposeB, std::int64_t m, std::int64_t n,
            std::int64_t k, float alpha, const float* a, std::int64_t lda, const float* b,
            std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    limitInstructionSet();
    keepSingleThreaded();
    dnnl_sgemm(transposeA == Transpose::Yes ? 'T' : 'N', transposeB == Transpose::Yes ? 'T' : 'N',
               m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

#else

void matmul(Transpose transposeA, Transpose transposeB, std::int64_t m, std::int64_t n,
            std::int64_t k, float alpha, const float* a, std::int64_t lda, const float* b,
            std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Source = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
    const bool ta = transposeA == Transpose::Yes;
    const bool tb = transposeB == Transpose::Yes;
    const Source left(a, ta ? k : m, ta ? m : k, Eigen::OuterStride<>(lda));
    const Source right(b, tb ? n : k, tb ? k : n, Eigen::OuterStride<>(ldb));
    Eigen::Map<Matrix, 0, Eigen::OuterStride<>> result(c, m, n, Eigen::OuterStride<>(ldc));
    if (beta == 0.0F)
        result.setZero();
    else if (beta != 1.0F)
        result *= beta;
    if (ta && tb)
        result.noalias() += alpha * left.transpose() * right.transpose();
    else if (ta)
        result.noalias() += alpha * left.transpose() * right;
    else if (tb)
        result.noalias() += alpha * left * right.transpose();
    else
        result.noalias() += alpha * left * right;
}

#endif

} // namespace headscope
