#include "core/ops/rope.h"

#include "core/base/error.h"
#include "core/ops/kernels/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

void turn(float& a, float& b, float cosine, float sine)
{
    const float turned = a * cosine - b * sine;
    b = a * sine + b * cosine;
    a = turned;
}

/// Rotates one head of one row. x: [2 pairs]; direction: 1, or -1 for the transposed rotation.
void turnHalves(float* x, const float* cosines, const float* sines, float direction,
                std::int64_t pairs)
{
    float* const second = x + pairs;
    std::int64_t i = 0;
    for (; i + kLaneCount <= pairs; i += kLaneCount) {
        const Lanes cosine = loadLanes(cosines + i);
        const Lanes sine = loadLanes(sines + i) * direction;
        const Lanes a = loadLanes(x + i);
        const Lanes b = loadLanes(second + i);
        storeLanes(x + i, a * cosine - b * sine);
        storeLanes(second + i, a * sine + b * cosine);
    }
    for (; i < pairs; ++i)
        turn(x[i], second[i], cosines[i], sines[i] * direction);
}

/// Swaps neighbours: a0 b0 a1 b1 -> b0 a0 b1 a1, to be multiplied by -s0 s0 -s1 s1.
Lanes turnNeighbours(Lanes x, Lanes cosines, Lanes sines)
{
    const Lanes swapped = __builtin_shufflevector(x, x, 1, 0, 3, 2);
    return x * cosines + swapped * (sines * Lanes{-1.0F, 1.0F, -1.0F, 1.0F});
}

Lanes lowPairs(Lanes x)
{
    return __builtin_shufflevector(x, x, 0, 0, 1, 1);
}

Lanes highPairs(Lanes x)
{
    return __builtin_shufflevector(x, x, 2, 2, 3, 3);
}

void turnInterleaved(float* x, const float* cosines, const float* sines, float direction,
                     std::int64_t pairs)
{
    std::int64_t i = 0;
    for (; i + kLaneCount <= pairs; i += kLaneCount) {
        const Lanes cosine = loadLanes(cosines + i);
        const Lanes sine = loadLanes(sines + i) * direction;
        float* const low = x + 2 * i;
        float* const high = low + kLaneCount;
        storeLanes(low, turnNeighbours(loadLanes(low), lowPairs(cosine), lowPairs(sine)));
        storeLanes(high, turnNeighbours(loadLanes(high), highPairs(cosine), highPairs(sine)));
    }
    for (; i < pairs; ++i)
        turn(x[2 * i], x[2 * i + 1], cosines[i], sines[i] * direction);
}

void checkRows(const RopeTable& table, const RopeRows& x, const char* name)
{
    if (x.rows < 0 || x.heads < 0 || x.length < 1 || x.firstPosition < 0)
        throw ShapeError(
            fmt::format("{}: {} rows of {} heads from position {} in sequences of {} tokens", name,
                        x.rows, x.heads, x.firstPosition, x.length));
    const std::int64_t end = x.firstPosition + std::min(x.rows, x.length);
    if (end > table.positions())
        throw ShapeError(fmt::format("{}: positions {} to {}, but the table has {}", name,
                                     x.firstPosition, end - 1, table.positions()),
                         {}, fmt::format("Build a table of {} positions", end));
    const std::int64_t width = 2 * table.cosines.shape().back();
    if ((x.rows > 1 && x.rowStride < width) || (x.heads > 1 && x.headStride < width))
        throw ShapeError(fmt::format("{}: heads {} apart in rows {} apart overlap: {} channels are "
                                     "rotated",
                                     name, x.headStride, x.rowStride, width));
    if (!x.data)
        throw ShapeError(fmt::format("{}: the rows have no data", name));
}

void turnRows(const RopeTable& table, const RopeRows& x, float direction, const char* name)
{
    if (x.rows == 0 || x.heads == 0)
        return;
    checkRows(table, x, name);
    const std::int64_t pairs = table.cosines.shape()[1];
    const auto turnHead = table.layout == RopeSettings::Layout::Half ? turnHalves : turnInterleaved;
    for (std::int64_t row = 0; row < x.rows; ++row) {
        const std::int64_t angles = (x.firstPosition + row % x.length) * pairs;
        for (std::int64_t head = 0; head < x.heads; ++head)
            turnHead(x.data + row * x.rowStride + head * x.headStride,
                     table.cosines.data() + angles, table.sines.data() + angles, direction, pairs);
    }
}

} // namespace

RopeTable::RopeTable(const RopeSettings& settings, std::int64_t dimensions, std::int64_t positions,
                     std::int64_t tokens)
    : layout(settings.layout)
{
    const std::vector<double> frequencies = ropeInverseFrequencies(settings, dimensions, tokens);
    if (positions < 0)
        throw ShapeError(fmt::format("RopeTable: {} positions", positions));
    const double factor = ropeAttentionFactor(settings);
    cosines = Tensor(Shape{positions, dimensions / 2});
    sines = Tensor(cosines.shape());
    for (std::size_t i = 0; i < cosines.size(); ++i) {
        const auto position = static_cast<double>(i / frequencies.size());
        const double angle = position * frequencies[i % frequencies.size()];
        cosines.data()[i] = static_cast<float>(factor * std::cos(angle));
        sines.data()[i] = static_cast<float>(factor * std::sin(angle));
    }
}

void rope(const RopeTable& table, const RopeRows& x)
{
    turnRows(table, x, 1.0F, "rope");
}

void ropeBackward(const RopeTable& table, const RopeRows& gradient)
{
    // forward: (a, b) -> (a cos - b sin, a sin + b cos)
    turnRows(table, gradient, -1.0F, "ropeBackward");
}

} // namespace headscope
