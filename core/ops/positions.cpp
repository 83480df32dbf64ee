#include "core/ops/positions.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope {

namespace {

void checkBase(double base, const char* name)
{
    if (!(base > 1.0) || std::isinf(base))
        throw ShapeError(fmt::format("{}: base {} is not above 1", name, base), {},
                         "Use a base above 1, such as 10000");
}

/// Column of the interleaved layout that corresponds to `column` of `layout`.
std::int64_t interleavedColumn(std::int64_t column, std::int64_t d, SinusoidLayout layout)
{
    const std::int64_t sines = (d + 1) / 2;
    if (layout == SinusoidLayout::Interleaved)
        return column;
    return column < sines ? 2 * column : 2 * (column - sines) + 1;
}

} // namespace

double sinusoidalAngle(double position, std::int64_t column, std::int64_t d, double base)
{
    const std::int64_t pair = column - column % 2;
    return position / std::pow(base, static_cast<double>(pair) / static_cast<double>(d));
}

Tensor sinusoidalPositions(std::int64_t count, std::int64_t d, double base, SinusoidLayout layout)
{
    checkBase(base, "sinusoidalPositions");
    if (count < 0 || d < 1)
        throw ShapeError(fmt::format("sinusoidalPositions: {} positions of width {}", count, d));
    Tensor table(Shape{count, d});
    for (std::int64_t position = 0; position < count; ++position) {
        for (std::int64_t column = 0; column < d; ++column) {
            const std::int64_t wave = interleavedColumn(column, d, layout);
            const double angle = sinusoidalAngle(static_cast<double>(position), wave, d, base);
            const double value = wave % 2 == 0 ? std::sin(angle) : std::cos(angle);
            table.data()[position * d + column] = static_cast<float>(value);
        }
    }
    return table;
}

Tensor rotationOf(double k, std::int64_t d, double base)
{
    // sin(t + k) = cos k sin t + sin k cos t;  cos(t + k) = -sin k sin t + cos k cos t
    checkBase(base, "rotationOf");
    if (d < 2 || d % 2 != 0 || !std::isfinite(k))
        throw ShapeError(fmt::format("rotationOf: a shift by {} in width {}", k, d), {},
                         "Use a finite shift and an even width");
    Tensor rotation(Shape{d, d});
    for (std::int64_t i = 0; i < d; i += 2) {
        const double angle = sinusoidalAngle(k, i, d, base);
        float* const block = rotation.data() + i * d + i;
        block[0] = block[d + 1] = static_cast<float>(std::cos(angle));
        block[1] = static_cast<float>(std::sin(angle));
        block[d] = -block[1];
    }
    return rotation;
}

} // namespace headscope
