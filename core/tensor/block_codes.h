#pragma once

// Decodes the blocks of block_format.h into integers, scales and minimums. Both the plain unpacking
// and the kernels of each instruction set read blocks with this code, so it has internal linkage
// and uses no library code (like core/ops/kernels/simd.h).

#include "core/tensor/block_format.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace headscope {
namespace {

/// One decoded block: value[i] = scales[i / 16] * codes[i] + minimums[i / 16].
struct BlockCodes
{
    alignas(64) signed char codes[256];
    float scales[16];
    float minimums[16]; ///< Used only by formats that have minimums.
};

constexpr std::int64_t kCodesPerScale = 16;

using BlockBytes = const unsigned char*;
using Bytes16 = unsigned char __attribute__((vector_size(16)));

/// Loads from any address. Clang ignores the alignment of a vector whose attributes are combined.
inline Bytes16 bytes16(BlockBytes place)
{
    Bytes16 bytes;
    __builtin_memcpy(&bytes, place, sizeof(bytes));
    return bytes;
}

/// Stores codes as bytes that wrap: 255 is -1.
inline void put(BlockCodes& block, std::int64_t first, Bytes16 codes)
{
    __builtin_memcpy(block.codes + first, &codes, sizeof(codes));
}

inline unsigned twoBytes(BlockBytes place)
{
    return static_cast<unsigned>(place[0]) | static_cast<unsigned>(place[1]) << 8;
}

/// Converts binary16 to binary32, exactly and without a branch: 2^112 adjusts the exponent's bias;
/// infinity and NaN are preserved.
inline float half(BlockBytes place)
{
    const unsigned bits = twoBytes(place);
#if defined(__F16C__)
    return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(static_cast<int>(bits))));
#else
    const unsigned magnitude = (bits & 0x7FFFU) << 13;
    float value = 0.0F;
    __builtin_memcpy(&value, &magnitude, sizeof(value));
    value *= 0x1p112F;
    unsigned result = 0;
    __builtin_memcpy(&result, &value, sizeof(result));
    result |= (bits & 0x8000U) << 16 | (magnitude >= 0x0F800000U ? 0x7F800000U : 0U);
    __builtin_memcpy(&value, &result, sizeof(value));
    return value;
#endif
}

/// Sets the same scale, and minimum, for all 32 codes of a small block.
inline void setScale(BlockCodes& block, float scale, float minimum = 0.0F)
{
    block.scales[0] = block.scales[1] = scale;
    block.minimums[0] = block.minimums[1] = minimum;
}

/// Expands bit i of the 16 into byte i: 0x10 or 0.
inline Bytes16 fifthBits(unsigned bits)
{
    const auto low = static_cast<unsigned char>(bits);
    const auto high = static_cast<unsigned char>(bits >> 8);
    const Bytes16 spread = {low,  low,  low,  low,  low,  low,  low,  low,
                            high, high, high, high, high, high, high, high};
    const Bytes16 mask = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return reinterpret_cast<Bytes16>((spread & mask) != 0) & 0x10;
}

/// Non-linear four-bit codebook of IQ4_NL and IQ4_XS: the value of each code.
constexpr signed char kIq4nlValues[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                          1,    13,   25,  38,  53,  69,  89,  113};

inline void putIq4nl(BlockCodes& block, std::int64_t first, BlockBytes quarters)
{
#if defined(__AVX2__)
    const __m128i table = _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(kIq4nlValues));
    const Bytes16 codes = bytes16(quarters);
    const auto look = [&](Bytes16 indices) {
        return reinterpret_cast<Bytes16>(
            _mm_shuffle_epi8(table, reinterpret_cast<__m128i>(indices)));
    };
    put(block, first, look(codes & 15));
    put(block, first + 16, look(codes >> 4));
#else
    for (std::int64_t i = 0; i < 16; ++i) {
        block.codes[first + i] = kIq4nlValues[quarters[i] & 15];
        block.codes[first + 16 + i] = kIq4nlValues[quarters[i] >> 4];
    }
#endif
}

/// Reads eight 6-bit scales and minimums from twelve bytes (Q4_K, Q5_K), each for 32 codes.
inline void readSixBitScales(BlockBytes packed, float scale, float minimum, BlockCodes& block)
{
    for (int i = 0; i < 8; ++i) {
        const int low = i % 4;
        const unsigned s =
            i < 4 ? packed[low] & 63U : (packed[8 + low] & 15U) | ((packed[low] >> 2) & 0x30U);
        const unsigned m = i < 4 ? packed[4 + low] & 63U
                                 : (packed[8 + low] >> 4U) | ((packed[4 + low] >> 2) & 0x30U);
        block.scales[2 * i] = block.scales[2 * i + 1] = scale * static_cast<float>(s);
        block.minimums[2 * i] = block.minimums[2 * i + 1] = -(minimum * static_cast<float>(m));
    }
}

/// Reads sixteen signed 6-bit scales from twelve bytes (Q3_K).
inline void readSignedScales(BlockBytes packed, float scale, BlockCodes& block)
{
    for (int i = 0; i < 16; ++i) {
        const int low = (packed[i % 8] >> (i / 8 * 4)) & 15;
        const int high = (packed[8 + i % 4] >> (i / 4 * 2)) & 3;
        block.scales[i] = scale * static_cast<float>((low | high << 4) - 32);
    }
}

/// True for formats that add a minimum.
constexpr bool hasMinimum(BlockFormat format)
{
    return format == BlockFormat::Q4_1 || format == BlockFormat::Q5_1 ||
           format == BlockFormat::Q2_K || format == BlockFormat::Q4_K ||
           format == BlockFormat::Q5_K;
}

/// Decodes one block.
template<BlockFormat Format>
void readBlock(BlockBytes bytes, BlockCodes& block);

template<>
inline void readBlock<BlockFormat::Q8_0>(BlockBytes bytes, BlockCodes& block)
{
    setScale(block, half(bytes));
    put(block, 0, bytes16(bytes + 2));
    put(block, 16, bytes16(bytes + 18));
}

template<>
inline void readBlock<BlockFormat::Q4_0>(BlockBytes bytes, BlockCodes& block)
{
    setScale(block, half(bytes));
    const Bytes16 codes = bytes16(bytes + 2);
    put(block, 0, (codes & 15) - 8);
    put(block, 16, (codes >> 4) - 8);
}

template<>
inline void readBlock<BlockFormat::Q4_1>(BlockBytes bytes, BlockCodes& block)
{
    setScale(block, half(bytes), half(bytes + 2));
    const Bytes16 codes = bytes16(bytes + 4);
    put(block, 0, codes & 15);
    put(block, 16, codes >> 4);
}

template<>
inline void readBlock<BlockFormat::Q5_0>(BlockBytes bytes, BlockCodes& block)
{
    setScale(block, half(bytes));
    const Bytes16 codes = bytes16(bytes + 6);
    put(block, 0, ((codes & 15) | fifthBits(twoBytes(bytes + 2))) - 16);
    put(block, 16, ((codes >> 4) | fifthBits(twoBytes(bytes + 4))) - 16);
}

template<>
inline void readBlock<BlockFormat::Q5_1>(BlockBytes bytes, BlockCodes& block)
{
    setScale(block, half(bytes), half(bytes + 2));
    const Bytes16 codes = bytes16(bytes + 8);
    put(block, 0, (codes & 15) | fifthBits(twoBytes(bytes + 4)));
    put(block, 16, (codes >> 4) | fifthBits(twoBytes(bytes + 6)));
}

template<>
inline void readBlock<BlockFormat::Q2_K>(BlockBytes bytes, BlockCodes& block)
{
    const float scale = half(bytes + 80);
    const float minimum = half(bytes + 82);
    for (int i = 0; i < 16; ++i) {
        block.scales[i] = scale * static_cast<float>(bytes[i] & 15);
        block.minimums[i] = -(minimum * static_cast<float>(bytes[i] >> 4));
    }
    for (int i = 0; i < 16; ++i) { // 128 codes in 32 bytes; each bit pair holds 32
        const Bytes16 codes = bytes16(bytes + 16 + i / 8 * 32 + i % 2 * 16);
        put(block, i * 16, (codes >> static_cast<unsigned char>(i % 8 / 2 * 2)) & 3);
    }
}

template<>
inline void readBlock<BlockFormat::Q3_K>(BlockBytes bytes, BlockCodes& block)
{
    readSignedScales(bytes + 96, half(bytes + 108), block);
    for (int i = 0; i < 16; ++i) {
        const Bytes16 low = bytes16(bytes + 32 + i / 8 * 32 + i % 2 * 16);
        const Bytes16 high = bytes16(bytes + i % 2 * 16) >> static_cast<unsigned char>(i / 2);
        // A clear third bit subtracts four.
        put(block, i * 16,
            ((low >> static_cast<unsigned char>(i % 8 / 2 * 2)) & 3) + ((high & 1) << 2) - 4);
    }
}

template<>
inline void readBlock<BlockFormat::Q4_K>(BlockBytes bytes, BlockCodes& block)
{
    readSixBitScales(bytes + 4, half(bytes), half(bytes + 2), block);
    for (int i = 0; i < 8; ++i) { // 64 codes in 32 bytes: all low nibbles, then all high ones
        const Bytes16 codes = bytes16(bytes + 16 + i * 16);
        put(block, i / 2 * 64 + i % 2 * 16, codes & 15);
        put(block, i / 2 * 64 + i % 2 * 16 + 32, codes >> 4);
    }
}

template<>
inline void readBlock<BlockFormat::Q5_K>(BlockBytes bytes, BlockCodes& block)
{
    readSixBitScales(bytes + 4, half(bytes), half(bytes + 2), block);
    for (int i = 0; i < 8; ++i) {
        const Bytes16 codes = bytes16(bytes + 48 + i * 16);
        const Bytes16 fifth =
            bytes16(bytes + 16 + i % 2 * 16) >> static_cast<unsigned char>(i / 2 * 2);
        put(block, i / 2 * 64 + i % 2 * 16, (codes & 15) | (fifth & 1) << 4);
        put(block, i / 2 * 64 + i % 2 * 16 + 32, (codes >> 4) | (fifth >> 1 & 1) << 4);
    }
}

template<>
inline void readBlock<BlockFormat::Q6_K>(BlockBytes bytes, BlockCodes& block)
{
    const float scale = half(bytes + 208);
    for (int i = 0; i < 16; ++i) // 128 codes: low bits in 64 bytes, two high bits each in 32
    {
        block.scales[i] = scale * static_cast<float>(static_cast<signed char>(bytes[192 + i]));
        const Bytes16 low = bytes16(bytes + i / 8 * 64 + i % 4 * 16);
        const Bytes16 high = bytes16(bytes + 128 + i / 8 * 32 + i % 2 * 16) >>
                             static_cast<unsigned char>(i % 8 / 2 * 2);
        put(block, i * 16, ((i % 8 < 4 ? low & 15 : low >> 4) | (high & 3) << 4) - 32);
    }
}

template<>
inline void readBlock<BlockFormat::IQ4_NL>(BlockBytes bytes, BlockCodes& block)
{
    setScale(block, half(bytes));
    putIq4nl(block, 0, bytes + 2);
}

template<>
inline void readBlock<BlockFormat::IQ4_XS>(BlockBytes bytes, BlockCodes& block)
{
    const float scale = half(bytes);
    const unsigned highBits = twoBytes(bytes + 2);
    for (int i = 0; i < 8; ++i) {
        const int low = (bytes[4 + i / 2] >> (i % 2 * 4)) & 15;
        const int high = static_cast<int>(highBits >> (2 * i) & 3U);
        block.scales[2 * i] = block.scales[2 * i + 1] =
            scale * static_cast<float>((low | high << 4) - 32);
        putIq4nl(block, i * 32, bytes + 8 + i * 16);
    }
}

} // namespace
} // namespace headscope
