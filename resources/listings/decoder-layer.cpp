#include "resources/listings/listing.h"

Tensor attention(const Tensor& Q, const Tensor& K, const Tensor& V, bool causal = false)
{
    Tensor scores = times(Q, transposed(K));                               // [n, m] scores
    Tensor scaled = scaledBy(scores, 1 / std::sqrt(double(Q.shape()[1]))); // [n, m] scaled
    for (std::int64_t i = 0; causal && i < Q.shape()[0]; ++i)
        for (std::int64_t j = i + 1; j < K.shape()[0]; ++j)
            scaled.view()(i, j) = -std::numeric_limits<float>::infinity();
    Tensor weights = softmax(scaled);  // [n, m] weights
    Tensor output = times(weights, V); // [n, d_v] output
    return output;
}

struct DecoderWeights
{
    Tensor q, k, v, o, cross_q, cross_k, cross_v, cross_o, w1, b1, w2, b2, gamma, beta;
};

/// x: [n, d], the output so far; memory: [m, d], from the encoder.
Tensor decoderLayer(Tensor x, const Tensor& memory, const DecoderWeights& w)
{
    const auto norm = [&w](const Tensor& stream) {
        return layerNorm(stream, w.gamma, w.beta, 1e-5);
    };
    Tensor own = attention(times(x, w.q), times(x, w.k), times(x, w.v), true); // [n, d_v] own
    x = norm(plus(x, times(own, w.o)));                                        // [n, d] stream
    Tensor across = attention(times(x, w.cross_q), times(memory, w.cross_k),
                              times(memory, w.cross_v));                         // [n, d_v] across
    x = norm(plus(x, times(across, w.cross_o)));                                 // [n, d] stream
    Tensor hidden = activated(ActivationKind::Relu, plus(times(x, w.w1), w.b1)); // [n, d_ff] hidden
    x = norm(plus(plus(x, times(hidden, w.w2)), w.b2));                          // [n, d] stream
    return x;
}
