// Built with -ffp-contract=off: product and sum are rounded separately.
#include "core/tensor/block_format.h"

#include "core/base/error.h"
#include "core/tensor/codebook_blocks.h"
#include "core/tensor/half.h"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < kBlockFormats; ++i)
        if (kBlockLayouts[i].format != static_cast<BlockFormat>(i))
            return false;
    return true;
}

static_assert(isInOrder(), "each format's row is at the index of its enumerator");

template<BlockFormat Format>
void unpackAs(BlockBytes bytes, std::span<float> values)
{
    constexpr BlockLayout layout = layoutOf(Format);
    constexpr auto count = static_cast<std::size_t>(layout.values);
    BlockCodes block;
    for (std::size_t first = 0; first < values.size(); first += count, bytes += layout.bytes) {
        readBlock<Format>(bytes, block);
        for (std::size_t i = 0; i < count; ++i) {
            const float product = block.scales[i / kCodesPerScale] * block.codes[i];
            values[first + i] =
                hasMinimum(Format) ? product + block.minimums[i / kCodesPerScale] : product;
        }
    }
}

template<>
void unpackAs<BlockFormat::F32>(BlockBytes bytes, std::span<float> values)
{
    if (!values.empty())
        std::memcpy(values.data(), bytes, values.size_bytes());
}

template<>
void unpackAs<BlockFormat::F16>(BlockBytes bytes, std::span<float> values)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = halfToFloat(static_cast<std::uint16_t>(twoBytes(bytes + 2 * i)));
}

template<>
void unpackAs<BlockFormat::BF16>(BlockBytes bytes, std::span<float> values)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = bfloatToFloat(static_cast<std::uint16_t>(twoBytes(bytes + 2 * i)));
}

using Unpack = void (*)(BlockBytes, std::span<float>);

template<std::size_t... Format>
constexpr std::array<Unpack, kBlockFormats> unpackers(std::index_sequence<Format...>)
{
    return {unpackAs<static_cast<BlockFormat>(Format)>...};
}

constexpr auto kUnpackers = unpackers(std::make_index_sequence<kBlockFormats>());

} // namespace

std::optional<BlockFormat> blockFormatOfGgml(std::uint32_t ggmlType)
{
    for (const BlockLayout& layout : kBlockLayouts)
        if (layout.ggmlType == ggmlType)
            return layout.format;
    return std::nullopt;
}

std::optional<std::int64_t> byteCount(BlockFormat format, std::int64_t rows, std::int64_t columns)
{
    const BlockLayout& layout = layoutOf(format);
    if (rows < 0 || columns < 0 || columns % layout.values != 0)
        return std::nullopt;
    std::int64_t blocks = 0;
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(rows, columns / layout.values, &blocks) ||
        __builtin_mul_overflow(blocks, layout.bytes, &bytes))
        return std::nullopt;
    return bytes;
}

void unpack(BlockFormat format, std::span<const std::byte> bytes, std::span<float> values)
{
    const std::optional<std::int64_t> expected =
        byteCount(format, 1, static_cast<std::int64_t>(values.size()));
    if (!expected || bytes.size() != static_cast<std::size_t>(*expected))
        throw ShapeError(fmt::format("{} bytes for {} values of {}", bytes.size(), values.size(),
                                     layoutOf(format).name),
                         "unpack");
    kUnpackers[static_cast<std::size_t>(format)](reinterpret_cast<BlockBytes>(bytes.data()),
                                                 values);
}

} // namespace headscope
