#include "resources/listings/listing.h"

/// Bias on the scaled scores of each head, below the diagonal; heads a power of two.
std::vector<Tensor> alibi(int heads, std::int64_t n)
{
    std::vector<Tensor> biases;
    for (int head = 1; head <= heads; ++head) {
        double slope = std::exp2(-8.0 * head / heads); // [h] slopes
        Tensor bias({n, n});
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j <= i; ++j)                  // [n, n] distances
                bias.view()(i, j) = float(-slope * double(i - j)); // [h, n, n] bias
        biases.push_back(bias);
    }
    return biases;
}
