#include "resources/listings/listing.h"

Tensor layerNormByHand(Tensor x, const Tensor& gamma, const Tensor& beta, double epsilon)
{
    const std::int64_t d = x.shape()[1];
    for (std::int64_t row = 0; row < x.shape()[0]; ++row) {
        float* values = x.data() + row * d;
        double mean = std::accumulate(values, values + d, 0.0) / double(d); // [n, 1] mean
        double squares = 0.0;
        for (std::int64_t i = 0; i < d; ++i) {
            double centred = values[i] - mean; // [n, d] centred
            squares += centred * centred;      // [n, d] squares
        }
        double variance = squares / double(d);            // [n, 1] variance
        double deviation = std::sqrt(variance + epsilon); // [n, 1] deviation
        for (std::int64_t i = 0; i < d; ++i) {
            double normalised = (values[i] - mean) / deviation;               // [n, d] normalised
            values[i] = float(gamma.data()[i] * normalised + beta.data()[i]); // [n, d] output
        }
    }
    return x;
}
