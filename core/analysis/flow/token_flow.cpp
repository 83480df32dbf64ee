#include "core/analysis/flow/token_flow.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

Tensor strongestContributions(TensorView mixing, float threshold)
{
    Tensor kept(mixing.shape);
    for (std::int64_t row = 0; row < mixing.shape[0]; ++row) {
        double sum = 0.0;
        for (std::int64_t column = 0; column < mixing.shape[1]; ++column)
            sum += mixing(row, column) >= threshold ? double{mixing(row, column)} : 0.0;
        for (std::int64_t column = 0; sum > 0.0 && column < mixing.shape[1]; ++column)
            if (mixing(row, column) >= threshold)
                kept.view()(row, column) = static_cast<float>(double{mixing(row, column)} / sum);
    }
    return kept;
}

std::vector<Tensor> pathsInto(std::span<const Tensor> mixing, std::int64_t level,
                              std::int64_t token)
{
    const std::int64_t tokens = mixing.empty() ? 0 : mixing.front().shape()[0];
    if (level < 0 || level > static_cast<std::int64_t>(mixing.size()) || token < 0 ||
        token >= tokens)
        throw ShapeError(fmt::format("level {}, token {} in a graph of {} levels and {} tokens",
                                     level, token, mixing.size() + 1, tokens),
                         "pathsInto");
    std::vector<Tensor> paths(static_cast<std::size_t>(level), Tensor({tokens, tokens}));
    std::vector<double> through(static_cast<std::size_t>(tokens));
    through[static_cast<std::size_t>(token)] = 1.0;
    for (std::size_t layer = paths.size(); layer-- > 0;) {
        std::vector<double> before(through.size());
        for (std::size_t to = 0; to < through.size(); ++to) {
            if (through[to] == 0.0)
                continue;
            for (std::size_t from = 0; from < through.size(); ++from) {
                const auto i = static_cast<std::int64_t>(to);
                const auto j = static_cast<std::int64_t>(from);
                const double fraction = through[to] * double{mixing[layer].view()(i, j)};
                paths[layer].view()(i, j) = static_cast<float>(fraction);
                before[from] += fraction;
            }
        }
        through = std::move(before);
    }
    return paths;
}

} // namespace headscope
