#pragma once

#include "core/tensor/block_format.h"

#include <cstdint>

namespace headscope {

/// Values that share a scale in a row rounded to 8 bits.
constexpr std::int64_t kRoundedBlock = 32;

/// Rows of activations rounded to 8 bits: value[k] = scales[k / 32] * codes[k], with codes from
/// -127 to 127 and scale = largest magnitude of the block / 127. A block that contains infinity or
/// NaN has the scale NaN; one without a magnitude above 2^-120 becomes zero.
struct RoundedRows
{
    signed char* codes = nullptr; ///< Codes [rows, depth].
    float* scales = nullptr;      ///< Scales [rows, depth / 32].
    float* sums = nullptr;        ///< Sums of the rounded values [rows, depth / 32].
    /// Sums of the codes [rows, depth / 16, 2]: of those at k % 4 < 2, and of the others.
    std::int16_t* codeSums = nullptr;
    std::int64_t depth = 0; ///< Number of values per row, a multiple of kRoundedBlock.
};

/// Rounds one row `in` [depth] to row `row` of `rows`.
using RoundRow = void (*)(const float* in, std::int64_t row, const RoundedRows& rows);

/// Product out[row, column] = rows[row] . weights[column] + bias[column] of rounded rows and rows
/// of blocks. The sum over the codes that share a scale is exact; scaled, it is added to the output
/// in ascending order of the depth, and minimums likewise to a sum of their own. The bits are the
/// same for every instruction set, kernel, number of rows and range of columns.
struct IntegerProduct
{
    RoundedRows in;
    std::int64_t rows = 0;
    /// Rows of blocks: a multiple of kTileColumns, of which the first `columns` count.
    const unsigned char* const* weights = nullptr;
    const float* bias = nullptr; ///< Bias [columns], or null.
    std::int64_t columns = 0;
    float* out = nullptr;
    std::int64_t outStride = 0;
    /// Memory of integerPanelBytes(depth) for the kernel of many rows, at a multiple of 64.
    unsigned char* panel = nullptr;
};

/// Memory for sixteen columns: their codes, and up to two scales or a scale and a minimum a block.
constexpr std::int64_t integerPanelBytes(std::int64_t depth)
{
    return depth / kRoundedBlock * 16 * (kRoundedBlock + 2 * 4);
}

/// Number of rows from which on the kernel of many rows is faster.
constexpr std::int64_t kManyRoundedRows = 2;

/// Computes the product; does nothing and returns false for formats that have no integer kernel.
using MultiplyIntegers = bool (*)(BlockFormat format, const IntegerProduct& product);

/// Kernels of one instruction set.
struct IntegerKernels
{
    const char* name = nullptr;
    RoundRow round = nullptr;
    MultiplyIntegers multiply = nullptr; ///< For one row: codes are decoded for every row.
    /// Codes are decoded once, into IntegerProduct::panel.
    MultiplyIntegers multiplyMany = nullptr;
};

/// Kernels of the set that kernels() uses, with VNNI instructions where usesVnni(); null when that
/// set has none.
const IntegerKernels* integerKernels();

/// Kernels by name ("avx2", "avxvnni", "avx512", "avx512vnni"), or null when this build or
/// processor lacks them.
const IntegerKernels* integerKernelsFor(const char* name);

/// True for formats that integer kernels multiply.
constexpr bool multipliesIntegers(BlockFormat format)
{
    switch (format) {
    case BlockFormat::Q8_0:
    case BlockFormat::Q4_0:
    case BlockFormat::Q4_1:
    case BlockFormat::Q5_0:
    case BlockFormat::Q5_1:
    case BlockFormat::Q4_K:
    case BlockFormat::Q5_K:
    case BlockFormat::Q6_K:
    case BlockFormat::IQ4_NL:
        return true;
    default:
        return false;
    }
}

} // namespace headscope
