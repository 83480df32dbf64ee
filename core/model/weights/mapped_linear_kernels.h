#pragma once

#include "core/tensor/block_format.h"

#include <cstdint>

namespace headscope {

/// Columns that a tile computes at a time: RowProduct::weights has a multiple of this many rows.
constexpr std::int64_t kTileColumns = 4;

/// Product out[row, column] = in[row] . weights[column] + bias[column]. Every output is the sum
/// over the lanes of one register in the same order, each of which sums its part of the depth in
/// ascending order, whatever the number of rows and columns: the bits are the same for a row alone
/// and among others.
struct RowProduct
{
    const float* in = nullptr;
    std::int64_t inStride = 0;
    std::int64_t rows = 0;
    std::int64_t depth = 0;
    const unsigned char* const* weights = nullptr; ///< Rows of `depth` floats each, at any address.
    const float* bias = nullptr;                   ///< Bias [columns], or null.
    std::int64_t columns = 0;
    float* out = nullptr;
    std::int64_t outStride = 0;
    /// `in` as [depth / 16, rows, 16], where multiplyCodes requires it
    const float* groupedIn = nullptr;
};

using MultiplyRows = void (*)(const RowProduct& product);

/// Unpacks `values` floats of whole blocks, with the bits of unpack() in core/tensor.
using UnpackRow = void (*)(BlockFormat format, const unsigned char* bytes, std::int64_t values,
                           float* out);

/// Number of rows from which on multiplyCodes reads RowProduct::groupedIn: separate rows would take
/// more addresses than there are registers.
constexpr std::int64_t kGroupedRows = 5;
constexpr std::int64_t kGroup = 16;

/// Computes the same product, with the same bits, for a few rows and weights that are rows of
/// blocks: codes become floats in registers. Does nothing and returns false where unpacking first
/// is required.
using MultiplyCodes = bool (*)(BlockFormat format, const RowProduct& product);

// kMostCodedRows: largest number of rows for multiplyCodes, limited by registers.

namespace baseline {
constexpr std::int64_t kMostCodedRows = 4;
void multiplyRows(const RowProduct& product);
void unpackRow(BlockFormat format, const unsigned char* bytes, std::int64_t values, float* out);
bool multiplyCodes(BlockFormat format, const RowProduct& product);
} // namespace baseline

namespace avx2 {
constexpr std::int64_t kMostCodedRows = 4;
void multiplyRows(const RowProduct& product);
void unpackRow(BlockFormat format, const unsigned char* bytes, std::int64_t values, float* out);
bool multiplyCodes(BlockFormat format, const RowProduct& product);
} // namespace avx2

namespace avx512 {
constexpr std::int64_t kMostCodedRows = 12;
void multiplyRows(const RowProduct& product);
void unpackRow(BlockFormat format, const unsigned char* bytes, std::int64_t values, float* out);
bool multiplyCodes(BlockFormat format, const RowProduct& product);
} // namespace avx512

} // namespace headscope
