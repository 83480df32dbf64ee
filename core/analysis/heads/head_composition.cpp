#include "core/analysis/heads/head_composition.h"

#include "core/analysis/lens/triangular_factor.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/ops/matmul.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

/// A head's factors, such that every composition is the norm of one small product. Multiplying by
/// an orthonormal matrix preserves the Frobenius norm: for W_OV = W_V W_O the norm of any product
/// with it is that with R_V W_O, with W_V = (orthonormal) R_V; likewise on the other side.
struct ReducedHead
{
    Tensor written;    ///< R_V W_O, [d_v, d]
    Tensor readQuery;  ///< W_Q R_K^T, [d, d_k]
    Tensor readKey;    ///< W_K R_Q^T, [d, d_k]
    Tensor readValue;  ///< W_V L_O, [d, d_v], with W_O = L_O (orthonormal)
    double size = 0.0; ///< |W_OV|
    double queryKeySize = 0.0;
};

ReducedHead reduced(const HeadMatrices& head)
{
    const DoubleMatrix query = toEigen(head.query.view());
    const DoubleMatrix key = toEigen(head.key.view());
    const DoubleMatrix value = toEigen(head.value.view());
    const DoubleMatrix output = toEigen(head.output.view());
    const DoubleMatrix written = triangularFactor(value) * output;
    const DoubleMatrix readKey = key * triangularFactor(query).transpose();
    const DoubleMatrix ofOutput = triangularFactor(output.transpose());
    return {toTensor(written), toTensor(query * triangularFactor(key).transpose()),
            toTensor(readKey), toTensor(value * ofOutput.transpose()),
            written.norm(),    readKey.norm()};
}

/// Norm |A B| with A [r, d] and B [d, k].
double productSize(const Tensor& a, const Tensor& b)
{
    const std::int64_t rows = a.shape()[0];
    const std::int64_t columns = b.shape()[1];
    Tensor product({rows, columns});
    matmul(Transpose::No, Transpose::No, rows, columns, a.shape()[1], 1.0F, a.data(), a.shape()[1],
           b.data(), columns, 0.0F, product.data(), columns);
    double sum = 0.0;
    for (const float value : product.values())
        sum += double{value} * double{value};
    return std::sqrt(sum);
}

Composition compositionOf(const ReducedHead& earlier, const ReducedHead& later)
{
    const auto fraction = [&earlier](const Tensor& read, double size) {
        const double sizes = earlier.size * size;
        return sizes > 0.0 ? productSize(earlier.written, read) / sizes
                           : std::numeric_limits<double>::quiet_NaN();
    };
    return {fraction(later.readQuery, later.queryKeySize),
            fraction(later.readKey, later.queryKeySize), fraction(later.readValue, later.size)};
}

Tensor randomMatrix(Random& random, std::int64_t rows, std::int64_t columns)
{
    Tensor matrix({rows, columns});
    for (float& value : matrix.values())
        value = static_cast<float>(random.normal());
    return matrix;
}

HeadMatrices randomHead(Random& random, std::int64_t width, std::int64_t headDim)
{
    HeadMatrices head;
    head.query = randomMatrix(random, width, headDim);
    head.key = randomMatrix(random, width, headDim);
    head.value = randomMatrix(random, width, headDim);
    head.output = randomMatrix(random, headDim, width);
    return head;
}

/// Reduced heads of layers [0, layers), layer by layer, over several threads.
std::vector<ReducedHead> reducedHeads(const Model& model, Stack stack, std::int64_t layers,
                                      NormGains gains, const std::stop_token& stop)
{
    const auto heads = static_cast<std::size_t>(model.config().heads);
    std::vector<ReducedHead> result(static_cast<std::size_t>(layers) * heads);
    parallelForEach(result.size(), 8 * workerCount(), stop, [&](std::size_t i) {
        const HeadId place{selfAttentionOf(stack), static_cast<int>(i / heads),
                           static_cast<int>(i % heads)};
        result[i] = reduced(headMatrices(model, place, gains));
    });
    return result;
}

/// Compositions of one later head with the first `count` of `earlier`.
std::vector<ComposedPair> pairsOf(const std::vector<ReducedHead>& earlier, std::size_t count,
                                  const ReducedHead& later, const HeadId& place, std::size_t heads,
                                  const std::stop_token& stop)
{
    std::vector<ComposedPair> pairs(count);
    parallelForEach(count, 8 * workerCount(), stop, [&](std::size_t i) {
        pairs[i] = {{place.attention, static_cast<int>(i / heads), static_cast<int>(i % heads)},
                    place,
                    compositionOf(earlier[i], later)};
    });
    return pairs;
}

} // namespace

Composition composition(const HeadMatrices& earlier, const HeadMatrices& later)
{
    return compositionOf(reduced(earlier), reduced(later));
}

CompositionBaseline compositionBaseline(std::int64_t width, std::int64_t headDim, int samples,
                                        std::uint64_t seed)
{
    double sum = 0.0;
    double squares = 0.0;
    for (int sample = 0; sample < samples; ++sample) {
        Random random(seed, static_cast<std::uint64_t>(sample));
        const HeadMatrices earlier = randomHead(random, width, headDim);
        const Composition found = composition(earlier, randomHead(random, width, headDim));
        for (const double value : {found.query, found.key, found.value}) {
            sum += value;
            squares += value * value;
        }
    }
    const double count = 3.0 * samples;
    const double mean = sum / count;
    return {mean, std::sqrt(std::max(squares / count - mean * mean, 0.0)), samples, seed};
}

Composition ComposedPair::minus(const CompositionBaseline& baseline) const
{
    return {raw.query - baseline.mean, raw.key - baseline.mean, raw.value - baseline.mean};
}

std::vector<ComposedPair> compositionsInto(const Model& model, HeadId later, NormGains gains,
                                           const std::stop_token& stop)
{
    if (later.attention == AttentionKind::Cross)
        throw Error("composition is only defined within one residual stream", "head composition",
                    "Choose a head of self-attention");
    const ReducedHead head = reduced(headMatrices(model, later, gains));
    const auto earlier = reducedHeads(model, stackOf(later.attention), later.layer, gains, stop);
    return pairsOf(earlier, earlier.size(), head, later,
                   static_cast<std::size_t>(model.config().heads), stop);
}

} // namespace headscope
