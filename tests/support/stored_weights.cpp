#include "tests/support/stored_weights.h"

#include "core/base/random.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace headscope::test {

namespace {

/// The next binary16 towards zero; `value` is not too large for one.
std::uint16_t halfOf(double value)
{
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
    if (std::abs(value) < 0x1p-14)
        return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::abs(value) * 0x1p24));
    const std::uint32_t exponent = (bits >> 23 & 255U) - 112;
    return static_cast<std::uint16_t>(sign | exponent << 10 | (bits >> 13 & 0x3FFU));
}

/// Where the half-precision scales of a block begin.
std::vector<std::size_t> scalePlaces(BlockFormat format)
{
    switch (format) {
    case BlockFormat::Q4_1:
    case BlockFormat::Q5_1:
    case BlockFormat::Q4_K:
    case BlockFormat::Q5_K:
        return {0, 2};
    case BlockFormat::Q2_K:
        return {80, 82};
    case BlockFormat::Q3_K:
        return {108};
    case BlockFormat::Q6_K:
        return {208};
    case BlockFormat::MXFP4: // an exponent
    case BlockFormat::IQ1_M: // nibbles of several shorts
        return {};
    default:
        return {0};
    }
}

/// What a scale of 1 makes of a typical code.
double typicalCode(BlockFormat format)
{
    switch (format) {
    case BlockFormat::F32:
    case BlockFormat::F16:
    case BlockFormat::BF16:
        return 1.0;
    case BlockFormat::Q8_0:
    case BlockFormat::IQ4_NL:
        return 64.0;
    case BlockFormat::MXFP4:
        return 2.0;
    case BlockFormat::Q2_K:
        return 20.0;
    case BlockFormat::Q3_K:
        return 32.0;
    case BlockFormat::IQ2_XXS:
    case BlockFormat::IQ2_XS:
    case BlockFormat::IQ2_S:
        return 50.0;
    case BlockFormat::IQ3_XXS:
    case BlockFormat::IQ3_S:
        return 150.0;
    case BlockFormat::Q4_K:
    case BlockFormat::Q5_K:
        return 400.0;
    case BlockFormat::Q6_K:
    case BlockFormat::IQ4_XS:
        return 1000.0;
    default:
        return 8.0;
    }
}

void putFloat(BlockFormat format, float value, std::byte* place)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint16_t half = format == BlockFormat::F16 ? halfOf(static_cast<double>(value))
                                                          : static_cast<std::uint16_t>(bits >> 16);
    if (format == BlockFormat::F32)
        std::memcpy(place, &bits, sizeof(bits));
    else
        std::memcpy(place, &half, sizeof(half));
}

/// Writes the scales of a block of `format`, each a value of `next`.
template<typename NextScale>
void putScales(BlockFormat format, NextScale next, std::byte* block)
{
    for (const std::size_t place : scalePlaces(format)) {
        const double value = next();
        const std::uint16_t half = halfOf(place % 4 == 2 ? -value : value);
        std::memcpy(block + place, &half, sizeof(half));
    }
    if (format == BlockFormat::MXFP4)
        block[0] = static_cast<std::byte>(127 + std::lround(std::log2(next())));
    if (format != BlockFormat::IQ1_M)
        return;
    const std::uint16_t half = halfOf(next());
    for (int i = 0; i < 4; ++i) { // the high nibbles of the last four shorts
        std::byte& high = block[49 + 2 * i];
        high = (high & std::byte{15}) | static_cast<std::byte>((half >> (4 * i) & 15) << 4);
    }
}

StoredParameter storedBytes(BlockFormat format, std::int64_t rows, std::int64_t columns,
                            std::vector<std::byte> bytes)
{
    const auto owned = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    StoredParameter stored;
    stored.owner = owned;
    stored.bytes = *owned;
    stored.format = format;
    stored.rows = rows;
    stored.columns = columns;
    return stored;
}

} // namespace

StoredParameter randomBlocks(BlockFormat format, std::int64_t rows, std::int64_t columns,
                             std::uint64_t seed, double scale)
{
    Random random(seed);
    const BlockLayout& layout = layoutOf(format);
    const auto blockBytes = static_cast<std::size_t>(layout.bytes);
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(byteCount(format, rows, columns).value()));
    for (std::byte& byte : bytes)
        byte = static_cast<std::byte>(random.uniform() * 256.0);
    for (std::size_t block = 0; block < bytes.size(); block += blockBytes) {
        if (layout.values == 1) {
            putFloat(format, static_cast<float>(scale * random.normal()), bytes.data() + block);
            continue;
        }
        const auto next = [&] { return scale * (0.5 + random.uniform()) / typicalCode(format); };
        putScales(format, next, bytes.data() + block);
    }
    return storedBytes(format, rows, columns, std::move(bytes));
}

std::vector<StoredParameter> randomStored(const ModelConfig& config, BlockFormat format,
                                          std::uint64_t seed)
{
    std::vector<StoredParameter> all;
    for (const ParameterSpec& spec : parameterLayout(config)) {
        const std::int64_t rows = spec.shape.rank() == 2 ? spec.shape[0] : 1;
        const std::int64_t columns = spec.shape.elementCount() / rows;
        const bool whole = rows > 1 && columns % layoutOf(format).values == 0;
        StoredParameter stored =
            randomBlocks(whole ? format : BlockFormat::F32, rows, columns, seed++, 0.05);
        if (spec.shape.rank() == 1 && spec.name.ends_with(".weight")) {
            Tensor gains = floatsOf(stored);
            for (float& gain : gains.values())
                gain += 1.0F;
            stored = storedFloats(std::move(gains));
        }
        all.push_back(std::move(stored));
    }
    return all;
}

Tensor floatsOf(const StoredParameter& stored)
{
    Tensor values({stored.rowCount(), stored.columnCount()});
    unpackParameter(stored, values.view());
    return values;
}

} // namespace headscope::test
