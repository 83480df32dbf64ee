#include "core/base/random.h"
#include "resources/listings/listing.h"

double varianceOf(const std::vector<double>& values)
{
    const double count = double(values.size());
    double mean = 0.0, square = 0.0;
    for (const double value : values) {
        mean += value / count;           // [] mean_score
        square += value * value / count; // [] square
    }
    return square - mean * mean;
}

double scaledVariance(int d, double variance, int pairs, std::uint64_t seed)
{
    Random random(seed);
    std::vector<double> scores;
    for (int pair = 0; pair < pairs; ++pair) {
        double score = 0.0;
        for (int i = 0; i < d; ++i)
            score += variance * random.normal() * random.normal(); // [pairs, d_k] variance_product
        scores.push_back(score);
    }
    double ofScore = varianceOf(scores); // [] variance_score
    return ofScore / d;                  // [] scaled_variance
}
