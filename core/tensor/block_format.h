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

constexpr std::size_t kBlockFormats = 15;

/// The facts of one format.
struct BlockLayout
{
    BlockFormat format = BlockFormat::F32;
    std::string_view name;      ///< "Q4_1"
    std::int64_t values = 1;    ///< numbers of one block
    std::int64_t bytes = 4;     ///< bytes of one block
    std::uint32_t ggmlType = 0; ///< its number in a GGUF file
};

const BlockLayout& layoutOf(BlockFormat format);
std::span<const BlockLayout> blockLayouts(); ///< in the order of the enumeration

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
