#include "resources/listings/listing.h"

/// Pairs (a, b) -> (a cos - b sin, a sin + b cos).
Tensor turned(Tensor x, double position, double base)
{
    const std::int64_t d = x.shape()[1];
    for (std::int64_t i = 0; i < d / 2; ++i) {
        double frequency = std::pow(base, -2.0 * double(i) / double(d)); // [d/2] frequencies
        double angle = position * frequency;                             // [d/2] angles
        const double a = x.view()(0, 2 * i), b = x.view()(0, 2 * i + 1);
        x.view()(0, 2 * i) = float(a * std::cos(angle) - b * std::sin(angle));
        x.view()(0, 2 * i + 1) = float(a * std::sin(angle) + b * std::cos(angle));
    }
    return x;
}

Tensor rotaryScore(const Tensor& q, const Tensor& k, double m, double n, double base)
{
    Tensor turned_q = turned(q, m, base);                 // [1, d] turned_q
    Tensor turned_k = turned(k, n, base);                 // [1, d] turned_k
    Tensor score = times(turned_q, transposed(turned_k)); // [1, 1] score
    return score;
}
