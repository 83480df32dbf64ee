#include "resources/listings/listing.h"

Tensor attention(const Tensor& Q, const Tensor& K, const Tensor& V)
{
    const double d = Q.shape()[1];
    Tensor scores = times(Q, transposed(K));            // [n, m] scores
    Tensor scaled = scaledBy(scores, 1 / std::sqrt(d)); // [n, m] scaled
    Tensor weights = softmax(scaled);                   // [n, m] weights
    Tensor output = times(weights, V);                  // [n, d_v] output
    return output;
}
