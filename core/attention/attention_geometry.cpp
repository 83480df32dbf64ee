#include "core/attention/attention_geometry.h"

#include <algorithm>

namespace headscope {

AttentionGeometry::AttentionGeometry(const AttentionInputs& inputs)
    : batch(inputs.queries.shape[0])
    , queryHeads(inputs.queries.shape[1])
    , keyHeads(inputs.keys.shape[1])
    , queryTokens(inputs.queries.shape[2])
    , keyTokens(inputs.keys.shape[2])
    , headDim(inputs.queries.shape[3])
    , valueDim(inputs.values.shape[3])
{
}

KeyRange visibleKeys(const AttentionMask& mask, const AttentionGeometry& geometry,
                     std::int64_t query)
{
    const std::int64_t position = query + geometry.queryOffset();
    KeyRange range{0, geometry.keyTokens};
    if (mask.causal)
        range.end = std::min(range.end, position + 1);
    // Avoids position + window, which a huge window would overflow.
    if (mask.window > 0) {
        if (mask.window <= position)
            range.begin = position - mask.window + 1;
        if (mask.window < range.end - position)
            range.end = position + mask.window;
    }
    range.end = std::max<std::int64_t>(range.end, 0);
    range.begin = std::min(range.begin, range.end);
    return range;
}

double attentionFlops(const AttentionInputs& inputs, bool withBackward)
{
    const AttentionGeometry geometry(inputs);
    double pairs = 0.0;
    for (std::int64_t query = 0; query < geometry.queryTokens; ++query) {
        const KeyRange keys = visibleKeys(inputs.mask, geometry, query);
        pairs += static_cast<double>(keys.end - keys.begin);
    }
    pairs *= static_cast<double>(geometry.batch * geometry.queryHeads);
    const auto headDim = static_cast<double>(geometry.headDim);
    const auto valueDim = static_cast<double>(geometry.valueDim);
    const double forward = 2.0 * pairs * (headDim + valueDim);
    return withBackward ? forward + 2.0 * pairs * (3.0 * headDim + 2.0 * valueDim) : forward;
}

} // namespace headscope
