#pragma once

#include <vector>

namespace headscope::ui {

/// A matrix of position vectors, row-major [positions, dimensions], in double.
struct PositionTable
{
    int positions = 0;
    int dimensions = 0;
    std::vector<double> values;

    double at(int position, int dimension) const
    {
        return values[static_cast<std::size_t>(position) * dimensions + dimension];
    }

    bool isEmpty() const { return values.empty(); }
};

/// Sinusoidal encoding of Vaswani et al. 2017, section 3.5: PE(p, 2i) = sin(p / base^(2i/d)), PE(p,
/// 2i+1) = cos(p / base^(2i/d)).
PositionTable sinusoidalTable(int positions, int dimensions, double base);

/// Sine or cosine of `dimension` at any real position.
double sinusoid(double position, int dimension, int dimensions, double base);

/// Rotation in radians of a pair (2i, 2i+1) from one position to the next.
double anglePerPosition(int pair, int dimensions, double base);

/// Similarity: dot product of every position's PE with PE(p).
std::vector<double> similarityTo(const PositionTable& table, int position);

/// A_k applied to a row: every pair rotated by k times its angle.
std::vector<double> rotated(const std::vector<double>& row, int offset, double base);

/// Largest |A_k PE(p) - PE(p+k)| over all p of the matrix, k = `offset`.
double largestRotationError(const PositionTable& table, int offset, double base);

double largestMagnitude(const PositionTable& table);

/// About six even dimensions to draw as waves, fast to slow.
std::vector<int> waveDimensions(int dimensions);

/// At most six pairs (2i, 2i+1) to draw as clocks, fast to slow.
std::vector<int> clockPairs(int dimensions);

} // namespace headscope::ui
