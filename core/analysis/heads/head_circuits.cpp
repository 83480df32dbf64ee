#include "core/analysis/heads/head_circuits.h"

#include "core/analysis/lens/triangular_factor.h"
#include "core/base/error.h"
#include "core/ops/matmul.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

void requireFinite(const DoubleMatrix& matrix)
{
    if (!matrix.allFinite())
        throw Error("the weights are not finite", "head circuits",
                    "Choose a snapshot from before the training diverged");
}

/// Singular values of A B^T, A and B [d, d_k], without computing it: those of R_A R_B^T.
std::vector<double> singularValues(const DoubleMatrix& a, const DoubleMatrix& b)
{
    const DoubleMatrix small = triangularFactor(a) * triangularFactor(b).transpose();
    requireFinite(small);
    const Eigen::JacobiSVD<DoubleMatrix> decomposition(small);
    const auto& values = decomposition.singularValues();
    return {values.data(), values.data() + values.size()};
}

Tensor product(const Tensor& a, const Tensor& b)
{
    Tensor result({a.shape()[0], b.shape()[1]});
    matmul(Transpose::No, Transpose::No, a.shape()[0], b.shape()[1], a.shape()[1], 1.0F, a.data(),
           a.shape()[1], b.data(), b.shape()[1], 0.0F, result.data(), b.shape()[1]);
    return result;
}

} // namespace

CircuitSpectra circuitSpectra(const HeadMatrices& head)
{
    return {
        singularValues(toEigen(head.query.view()), toEigen(head.key.view())),
        singularValues(toEigen(head.value.view()), toEigen(head.output.view()).transpose().eval())};
}

std::vector<std::complex<double>> copyingEigenvalues(const HeadMatrices& head,
                                                     const VocabularyCircuit& vocabulary)
{
    const DoubleMatrix small =
        toEigen(product(head.output, product(vocabulary.product, head.value)).view());
    requireFinite(small);
    const Eigen::EigenSolver<DoubleMatrix> solver(small, false);
    if (solver.info() != Eigen::Success)
        throw Error("the eigenvalues do not converge", "head circuits");
    const auto& values = solver.eigenvalues();
    std::vector<std::complex<double>> sorted(values.data(), values.data() + values.size());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
    return sorted;
}

double copyingScore(std::span<const std::complex<double>> eigenvalues)
{
    double sum = 0.0;
    double sizes = 0.0;
    for (const std::complex<double>& value : eigenvalues) {
        sum += value.real(); // imaginary parts cancel: the matrix is real
        sizes += std::abs(value);
    }
    return sizes > 0.0 ? sum / sizes : std::numeric_limits<double>::quiet_NaN();
}

std::optional<double> copyingScore(const Model& model, HeadId place,
                                   const VocabularyCircuit& vocabulary)
{
    if (place.attention == AttentionKind::Cross || place.attention == AttentionKind::EncoderSelf ||
        !whyNoCopying(model.config()).empty())
        return std::nullopt;
    const HeadMatrices head = headMatrices(model, place, vocabulary.gains);
    const double score = copyingScore(copyingEigenvalues(head, vocabulary));
    return std::isnan(score) ? std::nullopt : std::optional<double>(score);
}

} // namespace headscope
