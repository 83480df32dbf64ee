#include "ui/session/looking.h"

#include <algorithm>

namespace headscope::ui {

namespace {

int strongestKey(const Tensor& pattern, int head, int query)
{
    const TensorView row = pattern.view()[head][query];
    return static_cast<int>(std::max_element(row.data, row.data + row.shape[0]) - row.data);
}

} // namespace

bool Looking::isComparable() const
{
    if (!a || !b || a->tokens().size() != b->tokens().size() ||
        a->sourceTokens().size() != b->sourceTokens().size() || partsOf(*a) != partsOf(*b))
        return false;
    const auto parts = partsOf(*a);
    return std::all_of(parts.begin(), parts.end(), [this](AttentionPart part) {
        return layerCount(*a, part) == layerCount(*b, part) &&
               headCount(*a, part) == headCount(*b, part);
    });
}

TokenPair resolve(const Selection& selection, const Trace& trace)
{
    const auto pattern = trace.find(patternKey(selection.part, selection.layer));
    if (!pattern || selection.head >= pattern->shape()[0] || pattern->shape()[1] == 0 ||
        pattern->shape()[2] == 0)
        return {};
    const auto queries = static_cast<int>(pattern->shape()[1]);
    const auto keys = static_cast<int>(pattern->shape()[2]);
    TokenPair pair;
    pair.query = selection.query < 0 ? queries - 1 : std::min(selection.query, queries - 1);
    const bool follows = selection.key < 0 || selection.key >= keys;
    pair.key = follows ? strongestKey(*pattern, selection.head, pair.query) : selection.key;
    return pair;
}

TokenPair pairOf(const Looking& looking)
{
    return looking.trace() ? resolve(looking.selection, *looking.trace()) : TokenPair{};
}

} // namespace headscope::ui
