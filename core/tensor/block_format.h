#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace headscope {

/// Storage of a weight matrix: plain numbers, or blocks of small integers that share a scale (and a
/// minimum), as in GGUF files. MXFP4 is also that of gpt-oss.
enum class BlockFormat {
    F32,
    F16,
    BF16,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    IQ4_NL,
    IQ4_XS,
    MXFP4,
    IQ1_S,
    IQ1_M,
    IQ2_XXS,
    IQ2_XS,
    IQ2_S,
    IQ3_XXS,
    IQ3_S,
};

/// Properties of one format.
struct BlockLayout
{
    BlockFormat format = BlockFormat::F32;
    std::string_view name;      ///< Name in GGUF files, such as "Q4_1".
    std::int64_t values = 1;    ///< Weights per block.
    std::int64_t bytes = 4;     ///< Bytes per block.
    std::uint32_t ggmlType = 0; ///< Type number in a GGUF file.
    /// True when matrix products read a block's codes directly; rows of rare formats are unpacked
    /// first.
    bool multipliesCodes = false;
};

/// Table of all formats, in the order of the enumeration. How a format's blocks are decoded is
/// defined by its `Blocks` in block_codes.h or codebook_blocks.h; all kernels are generated from these two.
inline constexpr BlockLayout kBlockLayouts[] = {
    {BlockFormat::F32, "F32", 1, 4, 0},
    {BlockFormat::F16, "F16", 1, 2, 1},
    {BlockFormat::BF16, "BF16", 1, 2, 30},
    {BlockFormat::Q8_0, "Q8_0", 32, 34, 8, true},
    {BlockFormat::Q4_0, "Q4_0", 32, 18, 2, true},
    {BlockFormat::Q4_1, "Q4_1", 32, 20, 3, true},
    {BlockFormat::Q5_0, "Q5_0", 32, 22, 6, true},
    {BlockFormat::Q5_1, "Q5_1", 32, 24, 7, true},
    {BlockFormat::Q2_K, "Q2_K", 256, 84, 10},
    {BlockFormat::Q3_K, "Q3_K", 256, 110, 11},
    {BlockFormat::Q4_K, "Q4_K", 256, 144, 12, true},
    {BlockFormat::Q5_K, "Q5_K", 256, 176, 13, true},
    {BlockFormat::Q6_K, "Q6_K", 256, 210, 14, true},
    {BlockFormat::IQ4_NL, "IQ4_NL", 32, 18, 20, true},
    {BlockFormat::IQ4_XS, "IQ4_XS", 256, 136, 23},
    {BlockFormat::MXFP4, "MXFP4", 32, 17, 39, true},
    {BlockFormat::IQ1_S, "IQ1_S", 256, 50, 19},
    {BlockFormat::IQ1_M, "IQ1_M", 256, 56, 29},
    {BlockFormat::IQ2_XXS, "IQ2_XXS", 256, 66, 16},
    {BlockFormat::IQ2_XS, "IQ2_XS", 256, 74, 17},
    {BlockFormat::IQ2_S, "IQ2_S", 256, 82, 22},
    {BlockFormat::IQ3_XXS, "IQ3_XXS", 256, 98, 18},
    {BlockFormat::IQ3_S, "IQ3_S", 256, 110, 21},
};

constexpr std::size_t kBlockFormats = sizeof(kBlockLayouts) / sizeof(BlockLayout);

constexpr const BlockLayout& layoutOf(BlockFormat format)
{
    return kBlockLayouts[static_cast<std::size_t>(format)];
}

/// Format with this type number in GGUF files; nothing for an unknown one.
std::optional<BlockFormat> blockFormatOfGgml(std::uint32_t ggmlType);

/// Size in bytes of a matrix whose rows are whole blocks. Nothing when they are not, when an extent
/// is negative, or when the product exceeds 63 bits.
std::optional<std::int64_t> byteCount(BlockFormat format, std::int64_t rows, std::int64_t columns);

/// Stored values in float32: scale * q + minimum, with product and sum rounded separately, as ggml
/// does. `bytes` may have any alignment. Throws ShapeError unless they are exactly
/// byteCount(format, 1, values.size()).
void unpack(BlockFormat format, std::span<const std::byte> bytes, std::span<float> values);

} // namespace headscope
