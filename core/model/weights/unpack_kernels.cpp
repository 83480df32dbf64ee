// Compiled once per instruction set, without contraction of product and sum; see
// headscope_isa_sources. No inline code of the standard library here.
#include "core/model/layers/block_values.h"
#include "core/model/weights/half_widening.h"
#include "core/model/weights/mapped_linear_kernels.h"

#include <utility>

namespace headscope::HEADSCOPE_ISA {

namespace {

template<class Convert>
HEADSCOPE_INLINE void unpackShorts(BlockBytes bytes, std::int64_t values, float* out,
                                   Convert convert)
{
    std::int64_t first = 0;
    for (; first + kLanes <= values; first += kLanes)
        store(out + first, convert(*reinterpret_cast<const UnalignedShorts*>(bytes + 2 * first)));
    if (first < values) {
        Shorts rest = {};
        for (std::int64_t i = first; i < values; ++i)
            rest[i - first] = static_cast<unsigned short>(twoBytes(bytes + 2 * i));
        store(out + first, convert(rest), values - first);
    }
}

/// Prefetch distance in bytes; rows of a panel are neighbours in the file.
constexpr std::int64_t kAhead = 2048;

template<BlockFormat Format>
void unpackAs(BlockBytes bytes, std::int64_t values, float* out)
{
    constexpr BlockLayout layout = layoutOf(Format);
    BlockValues<Format> block;
    for (std::int64_t first = 0; first < values; first += layout.values, bytes += layout.bytes) {
        block.read(bytes);
#pragma GCC unroll 2
        for (std::int64_t i = 0; i < layout.values; i += kLanes)
            store(out + first + i, block.at(i));
        __builtin_prefetch(bytes + kAhead);
    }
}

template<>
void unpackAs<BlockFormat::F32>(BlockBytes bytes, std::int64_t values, float* out)
{
    __builtin_memcpy(out, bytes, static_cast<unsigned long>(values) * sizeof(float));
}

template<>
void unpackAs<BlockFormat::F16>(BlockBytes bytes, std::int64_t values, float* out)
{
    unpackShorts(bytes, values, out, [](Shorts x) HEADSCOPE_LAMBDA { return halvesAsFloats(x); });
}

template<>
void unpackAs<BlockFormat::BF16>(BlockBytes bytes, std::int64_t values, float* out)
{
    unpackShorts(bytes, values, out, [](Shorts x) HEADSCOPE_LAMBDA { return bfloatsAsFloats(x); });
}

template<std::size_t... Format>
void unpackOne(BlockFormat format, BlockBytes bytes, std::int64_t values, float* out,
               std::index_sequence<Format...>)
{
    using Unpack = void (*)(BlockBytes, std::int64_t, float*);
    constexpr Unpack unpackers[] = {unpackAs<static_cast<BlockFormat>(Format)>...};
    unpackers[static_cast<std::size_t>(format)](bytes, values, out);
}

} // namespace

void unpackRow(BlockFormat format, const unsigned char* bytes, std::int64_t values, float* out)
{
    unpackOne(format, bytes, values, out, std::make_index_sequence<kBlockFormats>());
}

} // namespace headscope::HEADSCOPE_ISA
