#pragma once

#include <span>

namespace headscope {

struct PowerLawPoint
{
    double size = 0.0; ///< N > 0
    double loss = 0.0; ///< L > 0
};

/// L(N) = floor + factor * N^-exponent.
struct PowerLaw
{
    double floor = 0.0;    ///< E >= 0, what no size gets below
    double factor = 0.0;   ///< A
    double exponent = 0.0; ///< alpha
    double residual = 0.0; ///< root mean square of ln(measured / fitted)

    double at(double size) const;
};

/// Least squares of ln L over all three, E free: from many values of E, for each of which A and
/// alpha of ln(L - E) are a line over ln N, by Levenberg and Marquardt to the nearest minimum; the
/// best of these. Throws Error for fewer than three different sizes and values that are not
/// positive.
PowerLaw fitPowerLaw(std::span<const PowerLawPoint> points);

} // namespace headscope
