// Compiled once per instruction set, without contraction of product and sum; see
// headscope_isa_sources. No inline code of the standard library here.
#include "core/model/layers/block_values.h"
#include "core/model/weights/mapped_linear_kernels.h"

namespace headscope::HEADSCOPE_ISA {

namespace {

using LooseShorts __attribute__((aligned(1), may_alias)) = Shorts;

HEADSCOPE_INLINE FloatVector halvesAsFloats(Shorts halves)
{
#if defined(__AVX512F__)
    return _mm512_maskz_cvtph_ps(0xFFFF, reinterpret_cast<__m256i>(halves));
#else
    const Words bits = widened(halves);
    const Words magnitude = (bits & 0x7FFFU) << 13;
    const Words value =
        reinterpret_cast<Words>(reinterpret_cast<FloatVector>(magnitude) * 0x1p112F);
    const Words special = reinterpret_cast<Words>(magnitude >= 0x0F800000U) & 0x7F800000U;
    return reinterpret_cast<FloatVector>(value | special | (bits & 0x8000U) << 16);
#endif
}

HEADSCOPE_INLINE FloatVector bfloatsAsFloats(Shorts bfloats)
{
    return reinterpret_cast<FloatVector>(widened(bfloats) << 16);
}

template<class Convert>
HEADSCOPE_INLINE void unpackShorts(BlockBytes bytes, std::int64_t values, float* out,
                                   Convert convert)
{
    std::int64_t first = 0;
    for (; first + kLanes <= values; first += kLanes)
        store(out + first, convert(*reinterpret_cast<const LooseShorts*>(bytes + 2 * first)));
    if (first < values) {
        Shorts rest = {};
        for (std::int64_t i = first; i < values; ++i)
            rest[i - first] = static_cast<unsigned short>(twoBytes(bytes + 2 * i));
        store(out + first, convert(rest), values - first);
    }
}

/// Bytes; rows of a panel are neighbours in the file.
constexpr std::int64_t kAhead = 2048;

template<BlockFormat Format, std::int64_t Count, std::int64_t BlockSize>
void unpackBlocks(BlockBytes bytes, std::int64_t values, float* out)
{
    BlockValues<Format> block;
    for (std::int64_t first = 0; first < values; first += Count, bytes += BlockSize) {
        block.read(bytes);
#pragma GCC unroll 2
        for (std::int64_t i = 0; i < Count; i += kLanes)
            store(out + first + i, block.at(i));
        __builtin_prefetch(bytes + kAhead);
    }
}

} // namespace

void unpackRow(BlockFormat format, const unsigned char* bytes, std::int64_t values, float* out)
{
    switch (format) {
    case BlockFormat::F32:
        __builtin_memcpy(out, bytes, static_cast<unsigned long>(values) * sizeof(float));
        return;
    case BlockFormat::F16:
        return unpackShorts(bytes, values, out,
                            [](Shorts x) HEADSCOPE_LAMBDA { return halvesAsFloats(x); });
    case BlockFormat::BF16:
        return unpackShorts(bytes, values, out,
                            [](Shorts x) HEADSCOPE_LAMBDA { return bfloatsAsFloats(x); });
    case BlockFormat::Q8_0:
        return unpackBlocks<BlockFormat::Q8_0, 32, 34>(bytes, values, out);
    case BlockFormat::Q4_0:
        return unpackBlocks<BlockFormat::Q4_0, 32, 18>(bytes, values, out);
    case BlockFormat::Q4_1:
        return unpackBlocks<BlockFormat::Q4_1, 32, 20>(bytes, values, out);
    case BlockFormat::Q5_0:
        return unpackBlocks<BlockFormat::Q5_0, 32, 22>(bytes, values, out);
    case BlockFormat::Q5_1:
        return unpackBlocks<BlockFormat::Q5_1, 32, 24>(bytes, values, out);
    case BlockFormat::Q2_K:
        return unpackBlocks<BlockFormat::Q2_K, 256, 84>(bytes, values, out);
    case BlockFormat::Q3_K:
        return unpackBlocks<BlockFormat::Q3_K, 256, 110>(bytes, values, out);
    case BlockFormat::Q4_K:
        return unpackBlocks<BlockFormat::Q4_K, 256, 144>(bytes, values, out);
    case BlockFormat::Q5_K:
        return unpackBlocks<BlockFormat::Q5_K, 256, 176>(bytes, values, out);
    case BlockFormat::Q6_K:
        return unpackBlocks<BlockFormat::Q6_K, 256, 210>(bytes, values, out);
    case BlockFormat::IQ4_NL:
        return unpackBlocks<BlockFormat::IQ4_NL, 32, 18>(bytes, values, out);
    case BlockFormat::IQ4_XS:
        return unpackBlocks<BlockFormat::IQ4_XS, 256, 136>(bytes, values, out);
    }
}

} // namespace headscope::HEADSCOPE_ISA
