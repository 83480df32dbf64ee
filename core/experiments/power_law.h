#pragma once

#include <span>

namespace headscope {

struct PowerLawPoint
{
    double size = 0.0; ///< N > 0.
    double loss = 0.0; ///< L > 0.
};

/// Power law L(N) = floor + factor * N^-exponent.
struct PowerLaw
{
    double floor = 0.0;    ///< E >= 0, the loss in the limit of infinite size.
    double factor = 0.0;   ///< Factor A.
    double exponent = 0.0; ///< Exponent alpha.
    double residual = 0.0; ///< Root mean square of ln(measured / fitted).

    double at(double size) const;
};

/// Least squares of ln L over all three, E free: starts from many values of E, for each of which A
/// and alpha follow from ln(L - E) being linear in ln N, then Levenberg-Marquardt to the nearest
/// minimum; the best of these. Throws Error for fewer than three different sizes and values that
/// are not positive.
PowerLaw fitPowerLaw(std::span<const PowerLawPoint> points);

} // namespace headscope
