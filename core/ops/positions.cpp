#include "core/ops/positions.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope {

double sinusoidalAngle(double position, std::int64_t column, std::int64_t d, double base)
{
    const std::int64_t pair = column - column % 2;
    return position / std::pow(base, static_cast<double>(pair) / static_cast<double>(d));
}

Tensor sinusoidalPositions(std::int64_t count, std::int64_t d, double base)
{
    if (count < 0 || d < 1 || !(base > 1.0))
        throw ShapeError(fmt::format("sinusoidalPositions: {} positions of width {} with base {}",
                                     count, d, base));
    Tensor table(Shape{count, d});
    for (std::int64_t position = 0; position < count; ++position) {
        for (std::int64_t column = 0; column < d; ++column) {
            const double angle = sinusoidalAngle(static_cast<double>(position), column, d, base);
            const double value = column % 2 == 0 ? std::sin(angle) : std::cos(angle);
            table.data()[position * d + column] = static_cast<float>(value);
        }
    }
    return table;
}

} // namespace headscope
