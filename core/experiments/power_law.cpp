#include "core/experiments/power_law.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace headscope {

namespace {

using Vector = std::array<double, 3>; ///< Parameters sqrt(E), ln A, alpha.

/// Points with centred ln N, which decouples ln A and alpha.
struct Centred
{
    std::vector<double> logSize;
    std::vector<double> logLoss;
    double middle = 0.0;
};

Centred centred(std::span<const PowerLawPoint> points)
{
    Centred result;
    for (const PowerLawPoint& point : points) {
        result.logSize.push_back(std::log(point.size));
        result.logLoss.push_back(std::log(point.loss));
        result.middle += result.logSize.back() / static_cast<double>(points.size());
    }
    for (double& size : result.logSize)
        size -= result.middle;
    return result;
}

double squaredError(const Centred& points, const Vector& at)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < points.logSize.size(); ++i) {
        const double fall = std::exp(at[1] - at[2] * points.logSize[i]);
        sum += std::pow(std::log(at[0] * at[0] + fall) - points.logLoss[i], 2);
    }
    return sum;
}

/// For a given E the logarithm of L - E is linear in ln N.
Vector lineFor(const Centred& points, double floor)
{
    double mean = 0.0;
    double slope = 0.0;
    double squares = 0.0;
    const auto count = static_cast<double>(points.logSize.size());
    for (std::size_t i = 0; i < points.logSize.size(); ++i) {
        const double height = std::log(std::exp(points.logLoss[i]) - floor);
        mean += height / count;
        slope += height * points.logSize[i];
        squares += points.logSize[i] * points.logSize[i];
    }
    return {std::sqrt(floor), mean, -slope / squares};
}

/// Solves a symmetric 3 x 3 system by Cramer's rule; zeros when it is singular.
Vector solved(const std::array<Vector, 3>& a, const Vector& b)
{
    const auto determinant = [](const std::array<Vector, 3>& m) {
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    };
    const double whole = determinant(a);
    Vector x{};
    for (std::size_t column = 0; column < 3 && whole != 0.0; ++column) {
        std::array<Vector, 3> replaced = a;
        for (std::size_t row = 0; row < 3; ++row)
            replaced[row][column] = b[row];
        x[column] = determinant(replaced) / whole;
    }
    return x;
}

/// One Levenberg-Marquardt step from `at`.
Vector stepFrom(const Centred& points, const Vector& at, double damping)
{
    std::array<Vector, 3> normal{};
    Vector right{};
    for (std::size_t i = 0; i < points.logSize.size(); ++i) {
        const double fall = std::exp(at[1] - at[2] * points.logSize[i]);
        const double loss = at[0] * at[0] + fall;
        const double residual = points.logLoss[i] - std::log(loss);
        const Vector slope{2.0 * at[0] / loss, fall / loss, -points.logSize[i] * fall / loss};
        for (std::size_t row = 0; row < 3; ++row) {
            right[row] += slope[row] * residual;
            for (std::size_t column = 0; column < 3; ++column)
                normal[row][column] += slope[row] * slope[column];
        }
    }
    for (std::size_t i = 0; i < 3; ++i)
        normal[i][i] += damping * std::max(normal[i][i], 1e-12);
    const Vector change = solved(normal, right);
    return {at[0] + change[0], at[1] + change[1], at[2] + change[2]};
}

Vector refined(const Centred& points, Vector at)
{
    double damping = 1e-3;
    double error = squaredError(points, at);
    for (int round = 0; round < 500 && damping < 1e12; ++round) {
        const Vector next = stepFrom(points, at, damping);
        const double nextError = squaredError(points, next);
        if (nextError < error) {
            at = next;
            error = nextError;
            damping = std::max(damping / 10.0, 1e-12);
        } else {
            damping *= 10.0;
        }
    }
    return at;
}

void check(std::span<const PowerLawPoint> points)
{
    std::set<double> sizes;
    for (const PowerLawPoint& point : points) {
        if (!(point.size > 0.0) || !(point.loss > 0.0) || !std::isfinite(point.size) ||
            !std::isfinite(point.loss))
            throw Error("sizes and losses of a power law must be positive", "fitPowerLaw");
        sizes.insert(point.size);
    }
    if (sizes.size() < 3)
        throw Error("a power law with a floor needs three different sizes", "fitPowerLaw",
                    "Train more sizes");
}

} // namespace

double PowerLaw::at(double size) const
{
    return floor + factor * std::pow(size, -exponent);
}

PowerLaw fitPowerLaw(std::span<const PowerLawPoint> points)
{
    check(points);
    const Centred data = centred(points);
    const double lowest = std::exp(*std::ranges::min_element(data.logLoss));
    constexpr int kStarts = 40;
    Vector best = refined(data, lineFor(data, 0.0));
    for (int start = 1; start < kStarts; ++start) {
        const Vector found = refined(data, lineFor(data, lowest * start / kStarts));
        if (squaredError(data, found) < squaredError(data, best))
            best = found;
    }
    return {best[0] * best[0], std::exp(best[1] + best[2] * data.middle), best[2],
            std::sqrt(squaredError(data, best) / static_cast<double>(points.size()))};
}

} // namespace headscope
