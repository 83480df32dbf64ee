#include "core/analysis/weights/singular_values.h"

#include "core/base/error.h"
#include "core/base/stop.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr std::int64_t kLargestSide = 2048;
constexpr double kMostProducts = 4e10; // half a minute on one core

void requireGoingOn(const std::stop_token& stop)
{
    throwIfStopped(stop);
}

/// Sum of the outer products of the rows, [n, n]; its lower triangle.
Matrix gramOfRows(const WeightReader& reader, const std::stop_token& stop)
{
    constexpr std::int64_t kRowsAtOnce = 128;
    const std::int64_t columns = reader.storedColumns();
    Matrix gram = Matrix::Zero(columns, columns);
    std::vector<float> row(static_cast<std::size_t>(columns));
    for (std::int64_t first = 0; first < reader.storedRows(); first += kRowsAtOnce) {
        requireGoingOn(stop);
        const std::int64_t count = std::min(kRowsAtOnce, reader.storedRows() - first);
        Matrix block(columns, count);
        for (std::int64_t i = 0; i < count; ++i) {
            reader.readStored(first + i, row);
            block.col(i) = Eigen::Map<const Eigen::VectorXf>(row.data(), columns).cast<double>();
        }
        gram.selfadjointView<Eigen::Lower>().rankUpdate(block);
    }
    return gram;
}

/// Inner products of the rows, [m, m]; its lower triangle.
Matrix gramOfColumns(const WeightReader& reader, const std::stop_token& stop)
{
    const std::int64_t rows = reader.storedRows();
    const std::int64_t columns = reader.storedColumns();
    Matrix all(rows, columns);
    std::vector<float> row(static_cast<std::size_t>(columns));
    for (std::int64_t i = 0; i < rows; ++i) {
        reader.readStored(i, row);
        all.row(i) = Eigen::Map<const Eigen::RowVectorXf>(row.data(), columns).cast<double>();
    }
    Matrix gram = Matrix::Zero(rows, rows);
    constexpr std::int64_t kColumnsAtOnce = 128;
    for (std::int64_t first = 0; first < columns; first += kColumnsAtOnce) {
        requireGoingOn(stop);
        const std::int64_t count = std::min(kColumnsAtOnce, columns - first);
        gram.selfadjointView<Eigen::Lower>().rankUpdate(all.middleCols(first, count));
    }
    return gram;
}

/// Diagonal and subdiagonal of the tridiagonal matrix with the eigenvalues of `a`, whose lower
/// triangle is given and overwritten.
std::pair<Vector, Vector> tridiagonal(Matrix& a, const std::stop_token& stop)
{
    const Eigen::Index n = a.rows();
    Vector below = Vector::Zero(std::max<Eigen::Index>(n - 1, 0));
    for (Eigen::Index k = 0; k + 1 < n; ++k) {
        requireGoingOn(stop);
        const Eigen::Index left = n - k - 1;
        Vector v = a.col(k).tail(left);
        const double norm = v.norm();
        const double alpha = v(0) > 0.0 ? -norm : norm;
        below(k) = alpha;
        v(0) -= alpha;
        const double squares = v.squaredNorm();
        if (squares == 0.0)
            continue;
        auto rest = a.bottomRightCorner(left, left);
        const double factor = 2.0 / squares;
        Vector p = factor * (rest.selfadjointView<Eigen::Lower>() * v);
        p -= (0.5 * factor * p.dot(v)) * v;
        rest.selfadjointView<Eigen::Lower>().rankUpdate(v, p, -1.0);
    }
    return {a.diagonal(), below};
}

} // namespace

std::string whyNoSingularValues(const WeightMatrix& matrix)
{
    const std::int64_t side = std::min(matrix.rows, matrix.columns);
    const double products = static_cast<double>(matrix.rows) * static_cast<double>(matrix.columns) *
                            static_cast<double>(side);
    if (side <= kLargestSide && products <= kMostProducts)
        return {};
    return fmt::format("Too large for singular values: the shorter side may be {} at most, and "
                       "rows x columns x shorter side {} billion",
                       kLargestSide, static_cast<std::int64_t>(kMostProducts / 1e9));
}

std::vector<double> singularValues(const WeightReader& reader, const std::stop_token& stop)
{
    Matrix gram = reader.storedColumns() <= reader.storedRows() ? gramOfRows(reader, stop)
                                                                : gramOfColumns(reader, stop);
    reader.requireUnchanged();
    if (!gram.diagonal().allFinite())
        throw Error("the weights are not finite", "singular values",
                    "Choose a snapshot from before the training diverged");
    const auto [diagonal, below] = tridiagonal(gram, stop);
    Eigen::SelfAdjointEigenSolver<Matrix> solver;
    solver.computeFromTridiagonal(diagonal, below, Eigen::EigenvaluesOnly);
    std::vector<double> values;
    for (const double value : solver.eigenvalues())
        values.push_back(std::sqrt(std::max(value, 0.0)));
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
}

std::size_t valuesHolding(const std::vector<double>& values, double fraction)
{
    double all = 0.0;
    for (const double value : values)
        all += value * value;
    double sum = 0.0;
    for (std::size_t count = 0; count < values.size(); ++count) {
        if (sum >= fraction * all)
            return count;
        sum += values[count] * values[count];
    }
    return values.size();
}

} // namespace headscope
