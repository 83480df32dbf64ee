#pragma once

// Decodes the blocks whose codes are entries of a codebook: MXFP4 (OCP Microscaling Formats 1.0) and
// IQ1 to IQ3 of GGUF. As block_codes.h, which it completes.

#include "core/tensor/block_codes.h"
#include "core/tensor/codebooks.h"

namespace headscope {
namespace {

/// Twice the value of each code E2M1, so that all are whole.
constexpr signed char kE2m1Doubled[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

/// Half the scale E8M0 2^(exponent - 127), to go with doubled codes. 255, which stands for NaN, is
/// 2^127 as in ggml.
inline float halfOfE8m0(unsigned char exponent)
{
    const unsigned bits = exponent < 2 ? 0x00200000U << exponent : (exponent - 1U) << 23;
    float value = 0.0F;
    __builtin_memcpy(&value, &bits, sizeof(value));
    return value;
}

inline unsigned fourBytes(BlockBytes place)
{
    return twoBytes(place) | twoBytes(place + 2) << 16;
}

/// The byte of eight signs whose lowest seven are given: an even number of them is negative.
inline unsigned evenSigns(unsigned seven)
{
    return seven | static_cast<unsigned>(__builtin_parity(seven)) << 7;
}

/// Puts the values of one entry, `Bits` bits each, negative where the bit of `signs` is set.
template<int Bits>
inline void putEntry(BlockCodes& block, std::int64_t first, unsigned entry,
                     const signed char* levels, unsigned signs)
{
    constexpr int count = Bits == 2 ? 8 : 4;
    for (int i = 0; i < count; ++i) {
        const signed char level = levels[entry >> (Bits * i) & ((1U << Bits) - 1U)];
        block.codes[first + i] = static_cast<signed char>((signs >> i & 1U) != 0 ? -level : level);
    }
}

/// Puts the values of one entry of IQ1, times 8, each with an eighth of the scale added or, where
/// `lower` is set, subtracted.
inline void putIq1(BlockCodes& block, std::int64_t first, unsigned entry, bool lower)
{
    for (int i = 0; i < 8; ++i)
        block.codes[first + i] =
            static_cast<signed char>(8 * kIq1Levels[entry >> (2 * i) & 3U] + (lower ? -1 : 1));
}

/// Sets the scale of 32 codes.
inline void setScaleOf32(BlockCodes& block, int part, float scale)
{
    block.scales[2 * part] = block.scales[2 * part + 1] = scale;
}

/// Sets sixteen scales from nibbles: scale (nibble + 1/2) / 4.
inline void setNibbleScales(BlockCodes& block, float scale, BlockBytes nibbles)
{
    for (int i = 0; i < 16; ++i) {
        const auto nibble = static_cast<float>(nibbles[i / 2] >> (i % 2 * 4) & 15);
        block.scales[i] = scale * (0.5F + nibble) * 0.25F;
    }
}

template<>
inline void readBlock<BlockFormat::MXFP4>(BlockBytes bytes, BlockCodes& block)
{
    setScale(block, halfOfE8m0(bytes[0]));
    for (int i = 0; i < 16; ++i) {
        block.codes[i] = kE2m1Doubled[bytes[1 + i] & 15];
        block.codes[16 + i] = kE2m1Doubled[bytes[1 + i] >> 4];
    }
}

template<>
inline void readBlock<BlockFormat::IQ1_S>(BlockBytes bytes, BlockCodes& block)
{
    const float scale = half(bytes);
    for (int part = 0; part < 8; ++part) {
        const unsigned high = twoBytes(bytes + 34 + 2 * part);
        const auto factor = static_cast<float>(2 * (high >> 12 & 7U) + 1);
        setScaleOf32(block, part, scale * factor * 0.125F);
        for (int i = 0; i < 4; ++i) {
            const unsigned index = bytes[2 + 4 * part + i] | (high >> (3 * i) & 7U) << 8;
            putIq1(block, 32 * part + 8 * i, kIq1Codebook[index], (high & 0x8000U) != 0);
        }
    }
}

/// The binary16 number in the highest nibbles of four shorts.
inline float commonScale(BlockBytes shorts)
{
    unsigned char bits[2];
    bits[0] = static_cast<unsigned char>(shorts[1] >> 4 | (shorts[3] & 0xF0));
    bits[1] = static_cast<unsigned char>(shorts[5] >> 4 | (shorts[7] & 0xF0));
    return half(bits);
}

template<>
inline void readBlock<BlockFormat::IQ1_M>(BlockBytes bytes, BlockCodes& block)
{
    const float scale = commonScale(bytes + 48);
    for (int i = 0; i < 16; ++i) {
        const unsigned scales = twoBytes(bytes + 48 + i / 4 * 2);
        const auto factor = static_cast<float>(2 * (scales >> (i % 4 * 3) & 7U) + 1);
        block.scales[i] = scale * factor * 0.125F;
    }
    for (int i = 0; i < 32; ++i) {
        const unsigned high = static_cast<unsigned>(bytes[32 + i / 2]) >> (i % 2 * 4);
        putIq1(block, 8 * i, kIq1Codebook[bytes[i] | (high & 7U) << 8], (high & 8U) != 0);
    }
}

template<>
inline void readBlock<BlockFormat::IQ2_XXS>(BlockBytes bytes, BlockCodes& block)
{
    const float scale = half(bytes);
    for (int part = 0; part < 8; ++part) {
        const BlockBytes indices = bytes + 2 + 8 * part;
        const unsigned signs = fourBytes(indices + 4); // four times seven, and a nibble
        setScaleOf32(block, part, scale * (0.5F + static_cast<float>(signs >> 28)) * 0.25F);
        for (int i = 0; i < 4; ++i)
            putEntry<2>(block, 32 * part + 8 * i, kIq2XxsCodebook[indices[i]], kIq2Levels,
                        evenSigns(signs >> (7 * i) & 127U));
    }
}

template<>
inline void readBlock<BlockFormat::IQ2_XS>(BlockBytes bytes, BlockCodes& block)
{
    setNibbleScales(block, half(bytes), bytes + 66);
    for (int i = 0; i < 32; ++i) {
        const unsigned code = twoBytes(bytes + 2 + 2 * i);
        putEntry<2>(block, 8 * i, kIq2XsCodebook[code & 511U], kIq2Levels, evenSigns(code >> 9));
    }
}

template<>
inline void readBlock<BlockFormat::IQ2_S>(BlockBytes bytes, BlockCodes& block)
{
    setNibbleScales(block, half(bytes), bytes + 74);
    for (int i = 0; i < 32; ++i) {
        const unsigned high = static_cast<unsigned>(bytes[66 + i / 4]) >> (i % 4 * 2) & 3U;
        putEntry<2>(block, 8 * i, kIq2SCodebook[bytes[2 + i] | high << 8], kIq2Levels,
                    bytes[34 + i]);
    }
}

template<>
inline void readBlock<BlockFormat::IQ3_XXS>(BlockBytes bytes, BlockCodes& block)
{
    const float scale = half(bytes);
    for (int part = 0; part < 8; ++part) {
        const unsigned signs = fourBytes(bytes + 66 + 4 * part); // four times seven, a nibble
        setScaleOf32(block, part, scale * (0.5F + static_cast<float>(signs >> 28)) * 0.5F);
        for (int i = 0; i < 8; ++i)
            putEntry<3>(block, 32 * part + 4 * i, kIq3XxsCodebook[bytes[2 + 8 * part + i]],
                        kIq3XxsLevels, evenSigns(signs >> (i / 2 * 7) & 127U) >> (i % 2 * 4));
    }
}

template<>
inline void readBlock<BlockFormat::IQ3_S>(BlockBytes bytes, BlockCodes& block)
{
    const float scale = half(bytes);
    for (int part = 0; part < 8; ++part) {
        const int nibble = bytes[106 + part / 2] >> (part % 2 * 4) & 15;
        setScaleOf32(block, part, scale * static_cast<float>(1 + 2 * nibble));
    }
    for (int i = 0; i < 64; ++i) {
        const unsigned high = static_cast<unsigned>(bytes[66 + i / 8]) >> (i % 8) & 1U;
        putEntry<3>(block, 4 * i, kIq3SCodebook[bytes[2 + i] | high << 8], kIq3SLevels,
                    static_cast<unsigned>(bytes[74 + i / 2]) >> (i % 2 * 4));
    }
}

} // namespace
} // namespace headscope
