#include "resources/listings/listing.h"

Tensor sinusoidal(const std::vector<double>& positions, std::int64_t d, double base)
{
    Tensor PE({std::int64_t(positions.size()), d});
    for (std::size_t p = 0; p < positions.size(); ++p)
        for (std::int64_t i = 0; i < d / 2; ++i) {
            double exponent = double(2 * i) / double(d);   // [d/2] exponents
            double denominator = std::pow(base, exponent); // [d/2] denominators
            double angle = positions[p] / denominator;     // [n, d/2] angles
            PE.view()(p, 2 * i) = float(std::sin(angle));
            PE.view()(p, 2 * i + 1) = float(std::cos(angle)); // [n, d] PE
        }
    return PE;
}
