#pragma once

#include "core/trace/trace.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

// Heads whose patterns are written down, for tests of their scores.
namespace headscope::test {

/// [n, n] from a rule for the cells.
template<class Rule>
Tensor patternOf(std::int64_t tokens, const Rule& rule)
{
    Tensor pattern({tokens, tokens});
    for (std::int64_t query = 0; query < tokens; ++query)
        for (std::int64_t key = 0; key < tokens; ++key)
            pattern.view()(query, key) = static_cast<float>(rule(query, key));
    return pattern;
}

inline Tensor uniformCausal(std::int64_t tokens)
{
    return patternOf(tokens, [](std::int64_t i, std::int64_t j) {
        return j <= i ? 1.0 / static_cast<double>(i + 1) : 0.0;
    });
}

inline Tensor allToFirst(std::int64_t tokens)
{
    return patternOf(tokens, [](std::int64_t, std::int64_t j) { return j == 0 ? 1.0 : 0.0; });
}

inline bool close(double got, double expected, double allowed = 1e-6)
{
    return std::abs(got - expected) <= allowed;
}

/// Patterns [n, n] as the heads of layer `layer`.
inline Trace traceOf(const std::vector<Tensor>& heads, const std::vector<TokenId>& ids,
                     int layer = 0)
{
    const std::int64_t tokens = heads.front().shape()[0];
    Tensor pattern({static_cast<std::int64_t>(heads.size()), tokens, tokens});
    for (std::size_t head = 0; head < heads.size(); ++head)
        std::copy_n(heads[head].data(), heads[head].size(),
                    pattern.data() + head * heads[head].size());
    TokenSequence sequence;
    for (const TokenId id : ids)
        sequence.tokens.push_back({id, {}, false});
    return {sequence,
            {{{Site::Pattern, layer}, std::make_shared<const Tensor>(std::move(pattern))}},
            {}};
}

/// Tokens that are all different.
inline std::vector<TokenId> distinctIds(std::int64_t tokens)
{
    std::vector<TokenId> ids(static_cast<std::size_t>(tokens));
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

} // namespace headscope::test
