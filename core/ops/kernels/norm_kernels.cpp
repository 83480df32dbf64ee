#include "core/ops/kernels.h"
#include "core/ops/kernels/simd.h"

namespace headscope::HEADSCOPE_ISA {

namespace {

struct Layer
{
    static constexpr bool kCentred = true;
    static constexpr bool kUnitOffset = false;      ///< True when gamma is an offset from 1.
    static constexpr bool kSampleDeviation = false; ///< Divisor d - 1, epsilon outside the root.
};

struct Rms
{
    static constexpr bool kCentred = false;
    static constexpr bool kUnitOffset = false;
    static constexpr bool kSampleDeviation = false;
};

struct RmsUnitOffset : Rms
{
    static constexpr bool kUnitOffset = true;
};

struct StdEps : Layer
{
    static constexpr bool kSampleDeviation = true;
};

struct Moments
{
    float mean = 0.0F;
    float variance = 0.0F; ///< Variance about the mean, divisor d.
};

/// Two-pass moments; the second pass also measures the rounding error of the mean and corrects it.
Moments centredMoments(const float* x, std::int64_t columns)
{
    const float count = static_cast<float>(columns);
    FloatVector total{};
    forEachVector(columns, [&](std::int64_t j, std::int64_t n)
                               HEADSCOPE_LAMBDA { total += load(x + j, n); });
    const float mean = sum(total) / count;
    FloatVector offsets{};
    FloatVector squares{};
    forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
        const FloatVector difference = load(x + j, n, mean) - mean;
        offsets += difference;
        squares += difference * difference;
    });
    const float correction = sum(offsets) / count;
    return {mean + correction, sum(squares) / count - correction * correction};
}

float meanSquare(const float* x, std::int64_t columns)
{
    FloatVector squares{};
    forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
        const FloatVector value = load(x + j, n);
        squares += value * value;
    });
    return sum(squares) / static_cast<float>(columns);
}

/// Scale of a row. `variance` of a constant row may be slightly below 0 by rounding, and with a
/// sample deviation nothing is added under the root.
template<class Kind>
HEADSCOPE_INLINE float inverseDeviationOf(float variance, float epsilon, std::int64_t columns)
{
    if constexpr (Kind::kSampleDeviation) {
        const float squares = (variance > 0.0F ? variance : 0.0F) * static_cast<float>(columns);
        return 1.0F / (__builtin_sqrtf(squares / static_cast<float>(columns - 1)) + epsilon);
    } else {
        return 1.0F / __builtin_sqrtf(variance + epsilon);
    }
}

/// Normalised values (x - centre) * scale; lanes beyond `count` are 0.
template<class Kind>
HEADSCOPE_INLINE FloatVector normalised(const float* x, float centre, float scale,
                                        std::int64_t count)
{
    if constexpr (Kind::kCentred)
        return (load(x, count, centre) - centre) * scale;
    else
        return load(x, count) * scale;
}

template<class Kind>
HEADSCOPE_INLINE FloatVector gain(const float* gamma, std::int64_t count)
{
    if constexpr (Kind::kUnitOffset)
        return load(gamma, count) + 1.0F;
    else
        return load(gamma, count);
}

template<class Kind, bool shifted>
void normRows(const float* x, const float* gamma, const float* beta, float epsilon, float* y,
              float* mean, float* inverseDeviation, std::int64_t rows, std::int64_t columns)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const float* in = x + row * columns;
        float* out = y + row * columns;
        Moments moments;
        if constexpr (Kind::kCentred)
            moments = centredMoments(in, columns);
        else
            moments.variance = meanSquare(in, columns);
        const float scale = inverseDeviationOf<Kind>(moments.variance, epsilon, columns);
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            const FloatVector value = normalised<Kind>(in + j, moments.mean, scale, n);
            if constexpr (shifted)
                store(out + j, value * gain<Kind>(gamma + j, n) + load(beta + j, n), n);
            else
                store(out + j, value * gain<Kind>(gamma + j, n), n);
        });
        if (Kind::kCentred && mean)
            mean[row] = moments.mean;
        if (inverseDeviation)
            inverseDeviation[row] = scale;
    }
}

template<class Kind>
void norm(const float* x, const float* gamma, const float* beta, float epsilon, float* y,
          float* mean, float* inverseDeviation, std::int64_t rows, std::int64_t columns)
{
    if (Kind::kCentred && beta)
        normRows<Kind, true>(x, gamma, beta, epsilon, y, mean, inverseDeviation, rows, columns);
    else
        normRows<Kind, false>(x, gamma, beta, epsilon, y, mean, inverseDeviation, rows, columns);
}

/// Coefficient of n in the gradient: the mean of g n, or with a sample deviation s (s + epsilon is
/// 1 / scale) that sum divided by (d - 1) s scale = sqrt((d - 1) sum(n^2)), 0 for a constant row.
template<class Kind>
HEADSCOPE_INLINE float fraction(float weighted, float squares, std::int64_t columns)
{
    if constexpr (Kind::kSampleDeviation) {
        const float deviation = __builtin_sqrtf(squares * static_cast<float>(columns - 1));
        return deviation > 0.0F ? weighted / deviation : 0.0F;
    } else {
        return weighted / static_cast<float>(columns);
    }
}

template<class Kind>
void normBackward(const float* x, const float* gamma, const float* mean,
                  const float* inverseDeviation, const float* dy, float* dx, float* dGamma,
                  float* dBeta, std::int64_t rows, std::int64_t columns)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const float* in = x + row * columns;
        const float* upstream = dy + row * columns;
        float* out = dx + row * columns;
        const float centre = Kind::kCentred ? mean[row] : 0.0F;
        const float scale = inverseDeviation[row];
        FloatVector total{};
        FloatVector weighted{};
        FloatVector squares{};
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            const FloatVector d = load(upstream + j, n);
            const FloatVector value = normalised<Kind>(in + j, centre, scale, n);
            const FloatVector g = d * gain<Kind>(gamma + j, n);
            if constexpr (Kind::kCentred)
                total += g;
            weighted += g * value;
            if constexpr (Kind::kSampleDeviation)
                squares += value * value;
            if (dGamma)
                store(dGamma + j, load(dGamma + j, n) + d * value, n);
            if (Kind::kCentred && dBeta)
                store(dBeta + j, load(dBeta + j, n) + d, n);
        });
        const float meanGradient = sum(total) / static_cast<float>(columns);
        const float fractionOfRow = fraction<Kind>(sum(weighted), sum(squares), columns);
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            const FloatVector value = normalised<Kind>(in + j, centre, scale, n);
            FloatVector g = load(upstream + j, n) * gain<Kind>(gamma + j, n);
            if constexpr (Kind::kCentred)
                g -= meanGradient;
            store(out + j, load(out + j, n) + (g - value * fractionOfRow) * scale, n);
        });
    }
}

template<class Kind>
void fillKind(Kernels& table, int kind)
{
    table.norm[kind] = norm<Kind>;
    table.normBackward[kind] = normBackward<Kind>;
}

} // namespace

void fillNormKernels(Kernels& table);

void fillNormKernels(Kernels& table)
{
    fillKind<Layer>(table, 0);
    fillKind<Rms>(table, 1);
    fillKind<RmsUnitOffset>(table, 2);
    fillKind<StdEps>(table, 3);
    table.layerNorm = norm<Layer>;
}

} // namespace headscope::HEADSCOPE_ISA
