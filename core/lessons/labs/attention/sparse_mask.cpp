#include "core/lessons/labs/attention/sparse_mask.h"

#include <algorithm>
#include <vector>

namespace headscope {

bool SparseMask::sees(std::int64_t query, std::int64_t key) const
{
    if (key > query)
        return false;
    if (kind == Kind::Full || query - key < reach)
        return true;
    if (kind == Kind::Strided)
        return (key + 1) % reach == 0;
    return kind == Kind::Global && key == 0;
}

std::int64_t SparseMask::row(std::int64_t query) const
{
    if (kind == Kind::Full)
        return query + 1;
    const std::int64_t near = std::min(query + 1, reach);
    const std::int64_t before = query + 1 - near; // keys further back
    if (kind == Kind::Strided)
        return near + before / reach;
    return near + (kind == Kind::Global ? std::min<std::int64_t>(before, 1) : 0);
}

std::int64_t SparseMask::cells(std::int64_t tokens) const
{
    std::int64_t sum = 0;
    for (std::int64_t query = 0; query < tokens; ++query)
        sum += row(query);
    return sum;
}

std::int64_t SparseMask::layersToReach(std::int64_t tokens) const
{
    std::vector<bool> knows(static_cast<std::size_t>(tokens), false);
    knows.front() = true;
    for (std::int64_t layers = 0; layers < tokens; ++layers) {
        if (knows.back())
            return layers;
        const std::vector<bool> before = knows;
        for (std::int64_t query = 0; query < tokens; ++query)
            for (std::int64_t key = 0; key <= query; ++key)
                if (before[static_cast<std::size_t>(key)] && sees(query, key))
                    knows[static_cast<std::size_t>(query)] = true;
    }
    return tokens;
}

} // namespace headscope
