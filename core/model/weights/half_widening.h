#pragma once

// Half-precision numbers as registers of floats, exactly. For sources that headscope_isa_sources compiles several
// times.

#include "core/model/weights/code_widening.h"

namespace headscope {
namespace {

using UnalignedShorts __attribute__((aligned(1), may_alias)) = Shorts;

HEADSCOPE_INLINE FloatVector halvesAsFloats(Shorts halves)
{
#if defined(__AVX512F__)
    return _mm512_maskz_cvtph_ps(0xFFFF, reinterpret_cast<__m256i>(halves));
#elif defined(__F16C__)
    return _mm256_cvtph_ps(reinterpret_cast<__m128i>(halves));
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

} // namespace
} // namespace headscope
