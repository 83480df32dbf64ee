#include "core/analysis/token_alignment.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace headscope {

std::vector<AlignedTokens> alignTokens(std::span<const TokenId> a, std::span<const TokenId> b)
{
    // longest[i][j]: of a from i and b from j
    const std::size_t width = b.size() + 1;
    std::vector<std::uint16_t> longest((a.size() + 1) * width, 0);
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            longest[i * width + j] =
                a[i] == b[j] ? static_cast<std::uint16_t>(longest[(i + 1) * width + j + 1] + 1)
                             : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
        }
    }
    std::vector<AlignedTokens> lines;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
        const bool both = i < a.size() && j < b.size();
        if (both && a[i] == b[j])
            lines.push_back({static_cast<int>(i++), static_cast<int>(j++)});
        else if (i < a.size() &&
                 (j == b.size() || longest[(i + 1) * width + j] >= longest[i * width + j + 1]))
            lines.push_back({static_cast<int>(i++), std::nullopt});
        else
            lines.push_back({std::nullopt, static_cast<int>(j++)});
    }
    return lines;
}

double alignedDivergence(TensorView a, TensorView b, std::span<const AlignedTokens> lines)
{
    double sum = 0.0;
    int queries = 0;
    for (const AlignedTokens& line : lines) {
        const bool outside = line.a.value_or(-1) >= a.shape[0] || line.b.value_or(-1) >= b.shape[0];
        if (outside)
            throw ShapeError("tokens beyond a pattern", "divergence");
        if (!line.a || !line.b)
            continue;
        ++queries;
        for (const AlignedTokens& key : lines) {
            const double before = key.a ? double{a(*line.a, *key.a)} : 0.0;
            const double after = key.b ? double{b(*line.b, *key.b)} : 0.0;
            sum += std::abs(after - before) / 2.0;
        }
    }
    return queries == 0 ? 0.0 : sum / queries;
}

} // namespace headscope
