#pragma once

#include "ui/workers/forward/patterns.h"

#include <vector>

namespace headscope::ui {

/// What the views are about (the active layer and head) and what is marked in it (the selected
/// query and key token).
struct Selection
{
    AttentionKind part = AttentionKind::Self;
    int layer = 0;
    int head = 0;
    int query = -1;      ///< -1: the last token, also of a growing text
    int key = -1;        ///< -1: the key that this query attends to most
    bool pinned = false; ///< the person chose the pair; typing does not move it

    HeadId headId() const { return {part, layer, head}; }

    friend bool operator==(const Selection&, const Selection&) = default;
};

/// Where the person has been. Moving the cursor inside one head replaces the entry; another head is
/// a new one.
class SelectionHistory
{
public:
    explicit SelectionHistory(const Selection& first = {}) : m_visited{first} {}

    void visit(const Selection& selection);

    bool canGoBack() const { return m_position > 0; }

    bool canGoForward() const { return m_position + 1 < m_visited.size(); }

    const Selection& goBack();    ///< only when canGoBack()
    const Selection& goForward(); ///< only when canGoForward()

private:
    std::vector<Selection> m_visited;
    std::size_t m_position = 0;
};

} // namespace headscope::ui
