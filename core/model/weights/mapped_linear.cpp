#include "core/model/weights/mapped_linear.h"

#include "core/model/weights/mapped_linear_kernels.h"
#include "core/ops/kernels.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headscope {

namespace {

struct MappedKernels
{
    MultiplyRows multiply;
    MultiplyCodes multiplyCodes;
    UnpackRow unpack;
    std::int64_t mostCodedRows;
};

MappedKernels chooseKernels()
{
#ifdef HEADSCOPE_ISA_DISPATCH
    const std::string_view level = headscope::kernels().name;
    if (level == "avx512")
        return {avx512::multiplyRows, avx512::multiplyCodes, avx512::unpackRow,
                avx512::kMostCodedRows};
    if (level == "avx2")
        return {avx2::multiplyRows, avx2::multiplyCodes, avx2::unpackRow, avx2::kMostCodedRows};
#endif
    return {baseline::multiplyRows, baseline::multiplyCodes, baseline::unpackRow,
            baseline::kMostCodedRows};
}

/// Unpacked rows of a panel: a few input rows read them once, many read them repeatedly, from the
/// first-level or the second-level cache.
constexpr std::int64_t kFewRows = 6;
constexpr std::int64_t kFewRowsFloats = 4 << 10;
constexpr std::int64_t kManyRowsFloats = 64 << 10;
constexpr std::int64_t kMaxPanelColumns = 64;

using PanelRows = std::array<const unsigned char*, kMaxPanelColumns>;

/// Fills up a tile, which reads whole groups of rows but stores only the existing columns.
void repeatLast(std::int64_t count, PanelRows& rows)
{
    for (std::int64_t row = count; row % kTileColumns != 0; ++row)
        rows[row] = rows[count - 1];
}

/// Fills `rows` with the places of `count` rows from `first` on.
void findRows(const StoredParameter& stored, std::int64_t first, std::int64_t count,
              PanelRows& rows)
{
    const auto* const begin = reinterpret_cast<const unsigned char*>(stored.bytes.data());
    const std::int64_t rowBytes = std::ssize(stored.bytes) / stored.rows;
    if (stored.order.empty())
        for (std::int64_t row = 0; row < count; ++row)
            rows[row] = begin + (first + row) * rowBytes;
    else
        for (std::int64_t row = 0; row < count; ++row)
            rows[row] = begin + stored.order[first + row] * rowBytes;
    repeatLast(count, rows);
}

/// Memory of one thread, reused by the next product.
float* panelOfThisThread(std::int64_t floats)
{
    thread_local Tensor panel;
    if (std::ssize(panel) < floats)
        panel = Tensor({floats});
    return panel.data();
}

/// Rows of `in` in the layout that multiplyCodes uses for many of them, in this thread's memory.
const float* groupRows(const RowProduct& product)
{
    float* const grouped = panelOfThisThread(product.rows * product.depth);
    float* out = grouped;
    for (std::int64_t k = 0; k + kGroup <= product.depth; k += kGroup)
        for (std::int64_t row = 0; row < product.rows; ++row, out += kGroup)
            std::copy_n(product.in + row * product.inStride + k, kGroup, out);
    return grouped;
}

/// Unpacks rows of blocks to rows of floats in this thread's memory.
void unpackRows(UnpackRow unpack, BlockFormat format, const RowProduct& product, PanelRows& rows)
{
    const std::int64_t stride = (product.depth + 15) / 16 * 16;
    float* row = panelOfThisThread(kMaxPanelColumns * stride);
    for (std::int64_t column = 0; column < product.columns; ++column, row += stride) {
        const unsigned char*& place = rows[column];
        unpack(format, place, product.depth, row);
        place = reinterpret_cast<const unsigned char*>(row);
    }
    repeatLast(product.columns, rows);
}

} // namespace

MappedLinear::MappedLinear(std::vector<StoredParameter> parts) : m_parts(std::move(parts))
{
    m_in = m_parts.front().columnCount();
    for (const StoredParameter& part : m_parts) {
        m_firstRows.push_back(m_out);
        m_out += part.rowCount();
    }
    m_firstRows.push_back(m_out);
}

bool MappedLinear::canMultiply(const std::vector<StoredParameter>& parts)
{
    return std::none_of(parts.begin(), parts.end(), [](const StoredParameter& part) {
        return part.transposed || part.isAbsent();
    });
}

std::int64_t MappedLinear::panelColumns(std::int64_t rows) const
{
    const std::int64_t floats = rows <= kFewRows ? kFewRowsFloats : kManyRowsFloats;
    const std::int64_t columns = floats / std::max<std::int64_t>(m_in, 1);
    return std::clamp(columns / (2 * kTileColumns) * (2 * kTileColumns), 2 * kTileColumns,
                      kMaxPanelColumns);
}

bool MappedLinear::hasIntegerParts() const
{
    return std::any_of(m_parts.begin(), m_parts.end(),
                       [](const StoredParameter& part) { return multipliesIntegers(part.format); });
}

void MappedLinear::apply(TensorView in, TensorView bias, MutableTensorView out, std::int64_t begin,
                         std::int64_t end, const RoundedRows* rounded) const
{
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
        const std::int64_t first = std::max(begin, m_firstRows[part]);
        const std::int64_t last = std::min(end, m_firstRows[part + 1]);
        if (first >= last)
            continue;
        if (rounded != nullptr && multipliesIntegers(m_parts[part].format))
            applyRounded(part, *rounded, bias, out, first, last);
        else
            applyPart(part, in, bias, out, first, last);
    }
}

void MappedLinear::applyPart(std::size_t part, TensorView in, TensorView bias,
                             MutableTensorView out, std::int64_t begin, std::int64_t end) const
{
    static const MappedKernels kernels = chooseKernels();
    const StoredParameter& stored = m_parts[part];
    const std::int64_t panel = panelColumns(in.shape[0]);
    PanelRows weights{};
    RowProduct product{in.data, in.stride(0), in.shape[0],  m_in, weights.data(), nullptr,
                       0,       nullptr,      out.stride(0)};
    bool coded = stored.format != BlockFormat::F32;
    if (coded && product.rows >= kGroupedRows && product.rows <= kernels.mostCodedRows)
        product.groupedIn = groupRows(product);
    for (std::int64_t first = begin; first < end;) {
        product.columns = std::min(coded ? kMaxPanelColumns : panel, end - first);
        product.bias = bias ? bias.data + first : nullptr;
        product.out = out.data + first;
        findRows(stored, first - m_firstRows[part], product.columns, weights);
        if (coded && !kernels.multiplyCodes(stored.format, product)) {
            coded = false;
            continue;
        }
        if (!coded) {
            if (stored.format != BlockFormat::F32)
                unpackRows(kernels.unpack, stored.format, product, weights);
            kernels.multiply(product);
        }
        first += product.columns;
    }
}

void MappedLinear::applyRounded(std::size_t part, const RoundedRows& rounded, TensorView bias,
                                MutableTensorView out, std::int64_t begin, std::int64_t end) const
{
    const StoredParameter& stored = m_parts[part];
    PanelRows weights{};
    IntegerProduct product;
    product.in = rounded;
    product.rows = out.shape[0];
    product.weights = weights.data();
    product.outStride = out.stride(0);
    const bool many = product.rows >= kManyRoundedRows;
    if (many)
        product.panel = reinterpret_cast<unsigned char*>(
            panelOfThisThread(integerPanelBytes(m_in) / static_cast<std::int64_t>(sizeof(float))));
    const IntegerKernels& kernels = *integerKernels();
    const MultiplyIntegers multiply = many ? kernels.multiplyMany : kernels.multiply;
    for (std::int64_t first = begin; first < end; first += product.columns) {
        product.columns = std::min(kMaxPanelColumns, end - first);
        product.bias = bias ? bias.data + first : nullptr;
        product.out = out.data + first;
        findRows(stored, first - m_firstRows[part], product.columns, weights);
        multiply(stored.format, product);
    }
}

} // namespace headscope
