#include "resources/listings/listing.h"

Tensor decode(const Tensor& x, const Tensor& W_Q, const Tensor& W_K, const Tensor& W_V)
{
    std::vector<Tensor> keys, values, outputs; // the cache, and the result
    for (std::int64_t t = 0; t < x.shape()[0]; ++t) {
        Tensor token = rowsOf(x, t, 1);      // [1, d] x
        Tensor query = times(token, W_Q);    // [1, d_k] Q
        keys.push_back(times(token, W_K));   // [t + 1, d_k] K
        values.push_back(times(token, W_V)); // [t + 1, d_v] V
        Tensor products = times(query, transposed(stacked(keys)));
        Tensor scores =
            scaledBy(products, 1 / std::sqrt(double(query.shape()[1]))); // [1, t + 1] scores
        Tensor weights = softmax(scores);                                // [1, t + 1] weights
        outputs.push_back(times(weights, stacked(values)));
    }
    Tensor output = stacked(outputs); // [n, d_v] output
    return output;
}
