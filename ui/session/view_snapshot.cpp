#include "ui/session/view_snapshot.h"

#include "core/trace/pattern_row.h"

#include <algorithm>

namespace headscope::ui {

bool ViewSnapshot::isComparable() const
{
    if (!a || !b || a->tokens().size() != b->tokens().size() ||
        a->sourceTokens().size() != b->sourceTokens().size() ||
        a->attentionKinds() != b->attentionKinds())
        return false;
    const auto parts = a->attentionKinds();
    return std::all_of(parts.begin(), parts.end(), [this](AttentionKind part) {
        return a->layerCount(part) == b->layerCount(part) &&
               a->headCount(part) == b->headCount(part);
    });
}

TokenPair resolve(const Selection& selection, const Trace& trace)
{
    const TraceKey pattern = patternKey(selection.part, selection.layer);
    const auto queries = static_cast<int>(trace.queryTokens(selection.part).size());
    if (selection.head >= trace.headsOf(pattern) || queries == 0)
        return {};
    TokenPair pair;
    pair.query = selection.query < 0 ? queries - 1 : std::min(selection.query, queries - 1);
    const std::vector<float> row = patternRow(trace, pattern, selection.head, pair.query);
    if (row.empty())
        return {};
    const bool follows = selection.key < 0 || selection.key >= static_cast<int>(row.size());
    const auto strongest = std::max_element(row.begin(), row.end()) - row.begin();
    pair.key = follows ? static_cast<int>(strongest) : selection.key;
    return pair;
}

TokenPair pairOf(const ViewSnapshot& view)
{
    return view.trace() ? resolve(view.selection, *view.trace()) : TokenPair{};
}

} // namespace headscope::ui
