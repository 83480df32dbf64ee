#include "core/analysis/heads/head_tokens.h"

#include <algorithm>
#include <functional>
#include <map>

namespace headscope {

namespace {

struct Mean
{
    double sum = 0.0;
    int count = 0;
    int places = 0;
};

using Means = std::map<TokenId, Mean>;

std::vector<TokenWeight> largest(const Means& means, std::size_t most)
{
    std::vector<TokenWeight> all;
    for (const auto& [id, mean] : means)
        if (mean.count > 0 && mean.sum > 0.0)
            all.push_back({id, mean.sum / mean.count, mean.places});
    std::ranges::stable_sort(all, std::greater<>(), &TokenWeight::weight);
    all.resize(std::min(all.size(), most));
    return all;
}

void add(TensorView pattern, const std::vector<TokenId>& view, const std::vector<TokenId>& seen,
         Means& queries, Means& keys)
{
    std::vector<Mean> got(seen.size());
    for (std::size_t query = 0; query < view.size(); ++query) {
        Mean& from = queries[view[query]];
        ++from.places;
        ++from.count;
        for (std::size_t key = 1; key < seen.size(); ++key) {
            const double weight =
                pattern(static_cast<std::int64_t>(query), static_cast<std::int64_t>(key));
            from.sum += weight;
            got[key].sum += weight;
            got[key].count += weight > 0.0 ? 1 : 0;
        }
    }
    for (std::size_t key = 1; key < seen.size(); ++key) {
        Mean& to = keys[seen[key]];
        ++to.places;
        to.sum += got[key].sum;
        to.count += got[key].count;
    }
}

} // namespace

HeadTokens topTokens(const std::vector<TracePtr>& texts, HeadId head, std::size_t most)
{
    Means queries;
    Means keys;
    for (const TracePtr& text : texts) {
        const auto pattern =
            text ? text->findHead(patternKey(head.attention, head.layer), head.head) : nullptr;
        if (pattern)
            add(pattern->view(), text->queryTokens(head.attention).ids(),
                text->keyTokens(head.attention).ids(), queries, keys);
    }
    return {largest(queries, most), largest(keys, most)};
}

} // namespace headscope
