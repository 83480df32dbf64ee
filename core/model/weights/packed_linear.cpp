#include "core/model/weights/packed_linear.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/model/weights/packed_linear_kernels.h"
#include "core/model/weights/rounded_input.h"
#include "core/ops/kernels.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <string_view>

namespace headscope {

namespace {

using MultiplyPanels = void (*)(const PackedProduct&);

MultiplyPanels chooseMultiplyPanels()
{
#ifdef HEADSCOPE_ISA_DISPATCH
    const std::string_view level = kernels().name;
    if (level == "avx512")
        return avx512::multiplyPanels;
    if (level == "avx2")
        return avx2::multiplyPanels;
#endif
    return baseline::multiplyPanels;
}

/// Writes all panels; `put(panels, index, value)` stores one weight.
template<class Put>
void packPanels(TensorView weight, Tensor& panels, Put put)
{
    const std::int64_t in = weight.shape[1];
    for (std::int64_t column = 0; column < weight.shape[0]; ++column) {
        const float* row = weight[column].data;
        const std::int64_t first =
            column / kPanelColumns * in * kPanelColumns + column % kPanelColumns;
        for (std::int64_t k = 0; k < in; ++k)
            put(panels.data(), first + k * kPanelColumns, row[k]);
    }
}

void putHalf(float* panels, std::int64_t index, std::uint16_t half)
{
    std::memcpy(reinterpret_cast<std::byte*>(panels) + index * 2, &half, sizeof half);
}

[[noreturn]] void refuseLarge()
{
    throw Error("this model has weights beyond 65504, the largest number of float16", "weights",
                "Choose bf16, or keep the weights as they are");
}

bool holdsFloats(const std::vector<StoredParameter>& parts)
{
    return std::any_of(parts.begin(), parts.end(),
                       [](const StoredParameter& part) { return part.format == BlockFormat::F32; });
}

/// Precision of panels of `parts`: halves stay halves, and only floats are rounded.
WeightPrecision panelPrecision(const std::vector<StoredParameter>& parts, WeightPrecision chosen)
{
    const auto all = [&parts](BlockFormat format) {
        return std::all_of(parts.begin(), parts.end(), [format](const StoredParameter& part) {
            return part.format == format || part.isAbsent();
        });
    };
    if (all(BlockFormat::F16))
        return WeightPrecision::Float16;
    if (all(BlockFormat::BF16))
        return WeightPrecision::BFloat16;
    return holdsFloats(parts) ? chosen : WeightPrecision::Float32;
}

std::int64_t panelsOf(std::int64_t columns)
{
    return (columns + kPanelColumns - 1) / kPanelColumns;
}

Tensor packed(TensorView weight, WeightPrecision precision)
{
    const bool isHalf = precision != WeightPrecision::Float32;
    Tensor panels(
        {panelsOf(weight.shape[0]), weight.shape[1], isHalf ? kPanelColumns / 2 : kPanelColumns});
    if (precision == WeightPrecision::Float32)
        packPanels(weight, panels,
                   [](float* all, std::int64_t index, float value) { all[index] = value; });
    else if (precision == WeightPrecision::BFloat16)
        packPanels(weight, panels, [](float* all, std::int64_t index, float value) {
            putHalf(all, index, floatToBfloat(value));
        });
    else
        packPanels(weight, panels, [](float* all, std::int64_t index, float value) {
            const std::uint16_t half = floatToHalf(value);
            if (std::isfinite(value) && !std::isfinite(halfToFloat(half)))
                refuseLarge();
            putHalf(all, index, half);
        });
    return panels;
}

Tensor stacked(const std::vector<StoredParameter>& parts, const Shape& shape)
{
    Tensor weight(shape);
    float* next = weight.data();
    for (const StoredParameter& part : parts) {
        unpackParameter(part, {next, {part.rowCount(), shape[1]}});
        next += part.rowCount() * shape[1];
    }
    return weight;
}

Tensor paddedBias(TensorView bias, std::int64_t columns)
{
    Tensor padded({panelsOf(columns) * kPanelColumns});
    if (bias)
        std::copy_n(bias.data, columns, padded.data());
    return padded;
}

} // namespace

std::size_t usefulThreads(std::int64_t multiplyAdds, std::int64_t weights)
{
    // Measured: a core does about 50 multiply-adds, or streams 15 weights, per nanosecond; waking a
    // second one pays off from some 8 us of work on.
    const double microseconds =
        std::max(static_cast<double>(multiplyAdds) / 50e3, static_cast<double>(weights) / 15e3);
    return microseconds < 8.0 ? 1 : workerCount();
}

namespace {

/// Parts of a product that reads so many weights: large ones have parts of some 100 us, so that the
/// other threads take over from one that is held up. Smaller parts lose what is fetched ahead.
std::size_t partsOf(std::int64_t weights, std::size_t threads)
{
    constexpr std::int64_t kWeightsOfPart = 3 << 19;
    const auto parts = static_cast<std::size_t>(weights / kWeightsOfPart);
    return threads == 1 ? 1 : std::max(threads, parts);
}

} // namespace

struct PackedLinear::Panels
{
    std::once_flag once;
    std::vector<StoredParameter> parts; ///< Still to be unpacked into `values`.
    Tensor values; ///< Panels [panels, in, kPanelColumns]; two halves take the place of a float.
};

PackedLinear::PackedLinear(TensorView weight, TensorView bias, WeightPrecision precision)
    : m_out(weight.shape[0])
    , m_in(weight.shape[1])
    , m_precision(precision)
    , m_panels(std::make_shared<Panels>())
    , m_bias(paddedBias(bias, m_out))
{
    m_panels->values = packed(weight, precision);
}

PackedLinear::PackedLinear(std::vector<StoredParameter> parts, TensorView bias,
                           WeightPrecision precision)
    : m_precision(panelPrecision(parts, precision))
{
    m_in = parts.front().columnCount();
    for (const StoredParameter& part : parts)
        m_out += part.rowCount();
    m_bias = paddedBias(bias, m_out);
    const bool isRounded = precision != WeightPrecision::Float32 && holdsFloats(parts);
    if (!isRounded && MappedLinear::canMultiply(parts)) {
        m_mapped = std::make_shared<const MappedLinear>(std::move(parts));
        return;
    }
    m_panels = std::make_shared<Panels>();
    m_panels->parts = std::move(parts);
}

void PackedLinear::prepare() const
{
    if (!m_mapped)
        panels();
}

const Tensor& PackedLinear::panels() const
{
    std::call_once(m_panels->once, [this] {
        if (m_panels->parts.empty())
            return;
        m_panels->values = packed(stacked(m_panels->parts, {m_out, m_in}).view(), m_precision);
        m_panels->parts.clear();
    });
    return m_panels->values;
}

void PackedLinear::apply(TensorView in, MutableTensorView out, const ColumnsReady& columnsReady,
                         Products products) const
{
    if (in.shape.rank() != 2 || out.shape.rank() != 2 || in.shape[1] != m_in ||
        out.shape[1] != m_out || in.shape[0] != out.shape[0])
        throw ShapeError(fmt::format("input {} and output {} for {} -> {} features",
                                     in.shape.toString(), out.shape.toString(), m_in, m_out),
                         "PackedLinear::apply");
    const std::size_t threads = usefulThreads(in.shape[0] * m_in * m_out, m_in * m_out);
    if (m_mapped)
        applyMapped(in, out, columnsReady, threads, products);
    else
        applyPanels(in, out, columnsReady, threads);
}

void PackedLinear::applyPanels(TensorView in, MutableTensorView out,
                               const ColumnsReady& columnsReady, std::size_t threads) const
{
    static const MultiplyPanels multiplyPanels = chooseMultiplyPanels();
    const Tensor& weights = panels();
    PackedProduct product{in.data, in.stride(0), in.shape[0], weights.data(), m_bias.data(),
                          m_in,    m_out,        out.data,    out.stride(0)};
    product.precision = m_precision;
    parallelFor(weights.shape()[0], threads, [&](std::size_t begin, std::size_t end, std::size_t) {
        PackedProduct part = product;
        part.firstPanel = static_cast<std::int64_t>(begin);
        part.lastPanel = static_cast<std::int64_t>(end);
        multiplyPanels(part);
        if (columnsReady && begin < end)
            columnsReady(part.firstPanel * kPanelColumns,
                         std::min(part.lastPanel * kPanelColumns, m_out));
    });
}

bool PackedLinear::usesIntegers(std::int64_t rows, Products products) const
{
    return products == Products::Integer && rows > 0 && integerKernels() != nullptr &&
           m_in % kRoundedBlock == 0 && m_mapped->hasIntegerParts();
}

void PackedLinear::applyMapped(TensorView in, MutableTensorView out,
                               const ColumnsReady& columnsReady, std::size_t threads,
                               Products products) const
{
    thread_local RoundedInput memory;
    RoundedRows rows;
    if (usesIntegers(in.shape[0], products))
        rows = memory.round(in, integerKernels()->round);
    const RoundedRows* const rounded = rows.codes != nullptr ? &rows : nullptr;
    parallelFor(panelsOf(m_out), partsOf(m_in * m_out, threads),
                [&](std::size_t begin, std::size_t end, std::size_t) {
                    const std::int64_t first = static_cast<std::int64_t>(begin) * kPanelColumns;
                    const std::int64_t last =
                        std::min(static_cast<std::int64_t>(end) * kPanelColumns, m_out);
                    if (first >= last)
                        return;
                    m_mapped->apply(in, m_bias.view(), out, first, last, rounded);
                    if (columnsReady)
                        columnsReady(first, last);
                });
}

} // namespace headscope
