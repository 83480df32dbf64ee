// Built with -ffp-contract=off: product and sum are rounded one after the other.
#include "core/tensor/block_format.h"

#include "core/base/error.h"
#include "core/tensor/block_codes.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::array<BlockLayout, kBlockFormats> kLayouts{{
    {BlockFormat::F32, "F32", 1, 4, 0},
    {BlockFormat::F16, "F16", 1, 2, 1},
    {BlockFormat::BF16, "BF16", 1, 2, 30},
    {BlockFormat::Q8_0, "Q8_0", 32, 34, 8},
    {BlockFormat::Q4_0, "Q4_0", 32, 18, 2},
    {BlockFormat::Q4_1, "Q4_1", 32, 20, 3},
    {BlockFormat::Q5_0, "Q5_0", 32, 22, 6},
    {BlockFormat::Q5_1, "Q5_1", 32, 24, 7},
    {BlockFormat::Q2_K, "Q2_K", 256, 84, 10},
    {BlockFormat::Q3_K, "Q3_K", 256, 110, 11},
    {BlockFormat::Q4_K, "Q4_K", 256, 144, 12},
    {BlockFormat::Q5_K, "Q5_K", 256, 176, 13},
    {BlockFormat::Q6_K, "Q6_K", 256, 210, 14},
    {BlockFormat::IQ4_NL, "IQ4_NL", 32, 18, 20},
    {BlockFormat::IQ4_XS, "IQ4_XS", 256, 136, 23},
}};

void unpackPlain(BlockFormat format, BlockBytes bytes, std::span<float> values)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto bits = static_cast<std::uint16_t>(twoBytes(bytes + 2 * i));
        values[i] = format == BlockFormat::F16 ? halfToFloat(bits) : bfloatToFloat(bits);
    }
}

template<BlockFormat Format>
void unpackBlocks(BlockBytes bytes, std::span<float> values)
{
    const auto count = static_cast<std::size_t>(layoutOf(Format).values);
    BlockCodes block;
    for (std::size_t first = 0; first < values.size(); first += count) {
        Blocks<Format>::read(bytes, block);
        for (std::size_t i = 0; i < count; ++i) {
            const float product = block.scales[i / kCodesPerScale] * block.codes[i];
            values[first + i] =
                Blocks<Format>::hasMinimum ? product + block.minimums[i / kCodesPerScale] : product;
        }
        bytes += layoutOf(Format).bytes;
    }
}

} // namespace

const BlockLayout& layoutOf(BlockFormat format)
{
    return kLayouts[static_cast<std::size_t>(format)];
}

std::span<const BlockLayout> blockLayouts()
{
    return kLayouts;
}

std::optional<BlockFormat> blockFormatOfGgml(std::uint32_t ggmlType)
{
    const auto found =
        std::find_if(kLayouts.begin(), kLayouts.end(),
                     [&](const BlockLayout& layout) { return layout.ggmlType == ggmlType; });
    return found == kLayouts.end() ? std::nullopt : std::optional(found->format);
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
    const auto* const source = reinterpret_cast<BlockBytes>(bytes.data());
    switch (format) {
    case BlockFormat::F32:
        if (!values.empty())
            std::memcpy(values.data(), source, bytes.size());
        return;
    case BlockFormat::F16:
    case BlockFormat::BF16:
        return unpackPlain(format, source, values);
    case BlockFormat::Q8_0:
        return unpackBlocks<BlockFormat::Q8_0>(source, values);
    case BlockFormat::Q4_0:
        return unpackBlocks<BlockFormat::Q4_0>(source, values);
    case BlockFormat::Q4_1:
        return unpackBlocks<BlockFormat::Q4_1>(source, values);
    case BlockFormat::Q5_0:
        return unpackBlocks<BlockFormat::Q5_0>(source, values);
    case BlockFormat::Q5_1:
        return unpackBlocks<BlockFormat::Q5_1>(source, values);
    case BlockFormat::Q2_K:
        return unpackBlocks<BlockFormat::Q2_K>(source, values);
    case BlockFormat::Q3_K:
        return unpackBlocks<BlockFormat::Q3_K>(source, values);
    case BlockFormat::Q4_K:
        return unpackBlocks<BlockFormat::Q4_K>(source, values);
    case BlockFormat::Q5_K:
        return unpackBlocks<BlockFormat::Q5_K>(source, values);
    case BlockFormat::Q6_K:
        return unpackBlocks<BlockFormat::Q6_K>(source, values);
    case BlockFormat::IQ4_NL:
        return unpackBlocks<BlockFormat::IQ4_NL>(source, values);
    case BlockFormat::IQ4_XS:
        return unpackBlocks<BlockFormat::IQ4_XS>(source, values);
    }
}

} // namespace headscope
