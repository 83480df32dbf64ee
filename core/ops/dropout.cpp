#include "core/ops/dropout.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/ops/kernels.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr double kSteps = 65536.0;

} // namespace

Dropout::Dropout(double probability, std::uint64_t seed, std::uint64_t step, std::uint64_t site)
    : m_key(mixBits(mixBits(mixBits(seed) ^ step) ^ site))
{
    if (!(probability >= 0.0 && probability < 1.0))
        throw ShapeError(fmt::format("Dropout: probability {} is not in [0, 1)", probability));
    m_threshold =
        static_cast<std::uint32_t>(std::min(std::round(probability * kSteps), kSteps - 1));
}

float Dropout::probability() const
{
    return static_cast<float>(m_threshold / kSteps);
}

bool Dropout::keeps(std::int64_t row, std::int64_t column, std::int64_t columns) const
{
    const std::uint64_t counter =
        m_key + static_cast<std::uint64_t>(row * ((columns + 3) / 4) + column / 4);
    return (mixBits(counter) >> (16 * (column % 4)) & 0xFFFF) >= m_threshold;
}

namespace {

DropoutRows rowsFor(std::uint64_t key, std::uint32_t threshold, std::int64_t firstRow,
                    RowCount size)
{
    return {key,      threshold, static_cast<float>(kSteps / (kSteps - threshold)),
            firstRow, size.rows, size.columns};
}

} // namespace

void Dropout::apply(TensorView x, MutableTensorView y, std::int64_t firstRow) const
{
    const RowCount size = rowsOf(x, "Dropout::apply", "x");
    requireRows(y, size, "Dropout::apply", "y");
    kernels().dropout(rowsFor(m_key, m_threshold, firstRow, size), x.data, y.data);
}

void Dropout::add(TensorView x, MutableTensorView y, std::int64_t firstRow) const
{
    const RowCount size = rowsOf(x, "Dropout::add", "x");
    requireRows(y, size, "Dropout::add", "y");
    kernels().dropoutAdd(rowsFor(m_key, m_threshold, firstRow, size), x.data, y.data);
}

void Dropout::keepMask(std::uint8_t* keep, std::int64_t firstRow, std::int64_t rows,
                       std::int64_t columns) const
{
    kernels().dropoutKeep(rowsFor(m_key, m_threshold, firstRow, {rows, columns}), keep);
}

} // namespace headscope
