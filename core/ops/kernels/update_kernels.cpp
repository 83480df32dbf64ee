#include "core/ops/kernels.h"
#include "core/ops/kernels/simd.h"

namespace headscope::HEADSCOPE_ISA {

namespace {

using WideVector = std::uint64_t __attribute__((vector_size(kLanes * 2)));
using ShortVector = std::uint16_t __attribute__((vector_size(kLanes * 2)));

/// Mask of all ones in kept lanes. Value c of a row takes 16 bits of mixBits(key + c / 4), see
/// dropout.h.
HEADSCOPE_INLINE IntVector kept(std::uint64_t counter, std::uint32_t threshold)
{
    WideVector x = WideVector{} + (counter + 0x9E3779B97F4A7C15U);
    for (int word = 0; word < kLanes / 4; ++word)
        x[word] += static_cast<std::uint64_t>(word);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    x ^= x >> 31;
    const IntVector bits = __builtin_convertvector(reinterpret_cast<ShortVector>(x), IntVector);
    return bits >= static_cast<std::int32_t>(threshold);
}

HEADSCOPE_INLINE std::uint64_t rowCounter(const DropoutRows& mask, std::int64_t row)
{
    const std::int64_t words = (mask.columns + 3) / 4;
    return mask.key + static_cast<std::uint64_t>((mask.firstRow + row) * words);
}

template<class Body>
HEADSCOPE_INLINE void forEachKept(const DropoutRows& mask, Body body)
{
    for (std::int64_t row = 0; row < mask.rows; ++row) {
        const std::uint64_t counter = rowCounter(mask, row);
        const std::int64_t start = row * mask.columns;
        forEachVector(mask.columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            body(start + j, n, kept(counter + static_cast<std::uint64_t>(j / 4), mask.threshold));
        });
    }
}

void dropout(const DropoutRows& mask, const float* x, float* y)
{
    forEachKept(mask, [&](std::int64_t i, std::int64_t n, IntVector keep) HEADSCOPE_LAMBDA {
        store(y + i, keep ? load(x + i, n) * mask.scale : FloatVector{}, n);
    });
}

void dropoutAdd(const DropoutRows& mask, const float* x, float* y)
{
    forEachKept(mask, [&](std::int64_t i, std::int64_t n, IntVector keep) HEADSCOPE_LAMBDA {
        const FloatVector value = keep ? load(x + i, n) * mask.scale : FloatVector{};
        store(y + i, load(y + i, n) + value, n);
    });
}

void dropoutKeep(const DropoutRows& mask, std::uint8_t* keep)
{
    forEachKept(mask, [&](std::int64_t i, std::int64_t n, IntVector kept_) HEADSCOPE_LAMBDA {
        for (std::int64_t lane = 0; lane < n; ++lane)
            keep[i + lane] = kept_[lane] != 0;
    });
}

/// Sums squares in float over short stretches, and those in double.
double reduce(float* total, const float* const* others, std::int64_t otherCount, std::int64_t first,
              std::int64_t count)
{
    constexpr std::int64_t kStretch = 2048;
    double squares = 0.0;
    for (std::int64_t begin = first; begin < first + count; begin += kStretch) {
        const std::int64_t left = first + count - begin;
        FloatVector partial{};
        forEachVector(left < kStretch ? left : kStretch,
                      [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
                          FloatVector value = load(total + begin + j, n);
                          for (std::int64_t other = 0; other < otherCount; ++other)
                              value += load(others[other] + begin + j, n);
                          if (otherCount > 0)
                              store(total + begin + j, value, n);
                          partial += value * value;
                      });
        squares += static_cast<double>(sum(partial));
    }
    return squares;
}

/// Plain loops, because the compiler vectorises the square root once it knows that nothing
/// overlaps.
void adam(const AdamCoefficients& coefficients, const float* __restrict gradient,
          float* __restrict m, float* __restrict v, float* __restrict weight, std::int64_t count)
{
    const AdamCoefficients c = coefficients;
    const float newM = 1.0F - c.beta1;
    const float newV = 1.0F - c.beta2;
    for (std::int64_t i = 0; i < count; ++i) {
        const float g = gradient[i] * c.gradientScale + c.coupledDecay * weight[i];
        const float first = c.beta1 * m[i] + newM * g;
        const float second = c.beta2 * v[i] + newV * g * g;
        m[i] = first;
        v[i] = second;
        const float deviation = __builtin_sqrtf(second) * c.secondMomentScale + c.epsilon;
        weight[i] = weight[i] * c.keep - c.stepSize * first / deviation;
    }
}

void sgd(const SgdCoefficients& coefficients, const float* __restrict gradient,
         float* __restrict buffer, float* __restrict weight, std::int64_t count)
{
    const SgdCoefficients c = coefficients;
    for (std::int64_t i = 0; i < count; ++i) {
        const float g = gradient[i] * c.gradientScale + c.decay * weight[i];
        const float moved = c.momentum * buffer[i] + g;
        buffer[i] = moved;
        weight[i] -= c.rate * moved;
    }
}

} // namespace

void fillUpdateKernels(Kernels& table);

void fillUpdateKernels(Kernels& table)
{
    table.dropout = dropout;
    table.dropoutAdd = dropoutAdd;
    table.dropoutKeep = dropoutKeep;
    table.reduce = reduce;
    table.adam = adam;
    table.sgd = sgd;
}

} // namespace headscope::HEADSCOPE_ISA
