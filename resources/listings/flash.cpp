#include "resources/listings/listing.h"

Tensor flash(const Tensor& Q, const Tensor& K, const Tensor& V, std::int64_t tile)
{
    const std::int64_t n = Q.shape()[0], m = K.shape()[0], d = V.shape()[1];
    const double scale = 1 / std::sqrt(double(Q.shape()[1]));
    std::vector<double> largest(n, -std::numeric_limits<double>::infinity()); // [n, 1] maximum
    std::vector<double> sums(n);                                              // [n, 1] sums
    Tensor output({n, d});
    for (std::int64_t begin = 0; begin < m; begin += tile) {
        const std::int64_t count = std::min(tile, m - begin);
        Tensor scaled =
            scaledBy(times(Q, transposed(rowsOf(K, begin, count))), scale); // [n, tile] scaled
        for (std::int64_t i = 0; i < n; ++i) {
            const float* row = scaled.data() + i * count;
            double larger = std::max(largest[i], double(*std::max_element(row, row + count)));
            double factor = std::exp(largest[i] - larger); // [n, 1] factor
            sums[i] *= factor;
            for (std::int64_t c = 0; c < d; ++c)
                output.view()(i, c) *= float(factor);
            for (std::int64_t j = 0; j < count; ++j) {
                double exponential = std::exp(row[j] - larger); // [n, tile] exponentials
                sums[i] += exponential;                         // [n, 1] sums
                for (std::int64_t c = 0; c < d; ++c)
                    output.view()(i, c) += float(exponential * V.view()(begin + j, c));
            }
            largest[i] = larger; // [n, 1] maximum
        }
    }
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t c = 0; c < d; ++c)
            output.view()(i, c) /= float(sums[i]); // [n, d_v] output
    return output;
}
