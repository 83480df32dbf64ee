#include "core/tensor/largest.h"

#include <algorithm>
#include <array>
#include <limits>

namespace headscope {

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// Values that stay in the first-level cache until the largest of them is looked for.
constexpr std::size_t kChunk = 4096;

/// Compares in lanes of their own, which the compiler turns into vectors.
float largestOf(std::span<const float> values)
{
    std::array<float, 16> lanes;
    lanes.fill(kLowest);
    std::size_t at = 0;
    for (; at + lanes.size() <= values.size(); at += lanes.size())
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            lanes[lane] = values[at + lane] > lanes[lane] ? values[at + lane] : lanes[lane];
    for (; at < values.size(); ++at)
        lanes[0] = std::max(lanes[0], values[at]);
    return *std::max_element(lanes.begin(), lanes.end());
}

} // namespace

std::int64_t largestIndex(std::span<const float> values)
{
    float largest = kLowest;
    std::span<const float> chunk = values.first(std::min(kChunk, values.size()));
    for (std::size_t at = 0; at < values.size(); at += kChunk) {
        const auto next = values.subspan(at, std::min(kChunk, values.size() - at));
        const float best = largestOf(next);
        if (best > largest) {
            largest = best;
            chunk = next;
        }
    }
    const auto found = std::find(chunk.begin(), chunk.end(), largest);
    return found == chunk.end() ? 0 : &*found - values.data();
}

} // namespace headscope
