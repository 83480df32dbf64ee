#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace headscope {

/// How numbers of a weight matrix are stored: plainly, or as blocks of small integers that share a
/// scale (and a minimum). Those of GGUF files.
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
};

/// The facts of one format.
struct BlockLayout
{
    BlockFormat format = BlockFormat::F32;
    std::string_view name;      ///< "Q4_1"
    std::int64_t values = 1;    ///< numbers of one block
    std::int64_t bytes = 4;     ///< bytes of one block
    std::uint32_t ggmlType = 0; ///< its number in a GGUF file
    /// Whether products read the codes of a block; of rare formats a row is unpacked first.
    bool multipliesCodes = false;
};

/// The one table of the formats, in the order of the enumeration. How the blocks of a format are
/// taken apart is its `Blocks` in block_codes.h; all kernels are made from these two.
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
};

constexpr std::size_t kBlockFormats = sizeof(kBlockLayouts) / sizeof(BlockLayout);

constexpr const BlockLayout& layoutOf(BlockFormat format)
{
    return kBlockLayouts[static_cast<std::size_t>(format)];
}

/// The format with this number in GGUF files; nothing for one that is not known here.
std::optional<BlockFormat> blockFormatOfGgml(std::uint32_t ggmlType);

/// Bytes of a matrix whose rows are whole blocks. Nothing when they are not, when an extent is
/// negative, or when the product does not fit 63 bits.
std::optional<std::int64_t> byteCount(BlockFormat format, std::int64_t rows, std::int64_t columns);

/// What is stored, in float32: scale * q + minimum, product and sum rounded one after the other, as
/// ggml's own code does. `bytes` may lie at any address. Throws ShapeError unless they are exactly
/// byteCount(format, 1, values.size()).
void unpack(BlockFormat format, std::span<const std::byte> bytes, std::span<float> values);

} // namespace headscope
