#include "resources/listings/listing.h"

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Tensor maskedAttention(const Tensor& Q, const Tensor& K, const Tensor& V)
{
    const std::int64_t n = Q.shape()[0], m = K.shape()[0];
    Tensor scaled = scaledBy(times(Q, transposed(K)),
                             1 / std::sqrt(double(Q.shape()[1]))); // [n, m] scaled
    Tensor masked = scaled;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = i + 1 + m - n; j < m; ++j) // [n, m] future
            masked.view()(i, j) = -kInfinity;            // [n, m] masked
    Tensor weights = softmax(masked);                    // [n, m] weights
    Tensor output = times(weights, V);                   // [n, d_v] output
    return output;
}

/// A row in which every key is hidden.
Tensor blindRow(std::int64_t m, float hidden)
{
    Tensor row({1, m});
    std::ranges::fill(row.values(), hidden); // [m] hidden
    return softmax(row);                     // [m] blind
}
