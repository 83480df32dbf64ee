#pragma once

#include "ui/workers/forward/patterns.h"

#include <vector>

namespace headscope::ui {

/// Active layer and head, and the selected query and key token.
struct Selection
{
    AttentionKind part = AttentionKind::Self;
    int layer = 0;
    int head = 0;
    int query = -1;      ///< Query position; -1: the last token, even as the text grows.
    int key = -1;        ///< Key position; -1: the key that the query attends to most.
    bool pinned = false; ///< True when the user chose the pair; typing does not move it.

    HeadId headId() const { return {part, layer, head}; }

    friend bool operator==(const Selection&, const Selection&) = default;
};

/// History of selections. Moving the pair inside one head replaces the entry; another head adds
/// one.
class SelectionHistory
{
public:
    explicit SelectionHistory(const Selection& first = {}) : m_visited{first} {}

    void visit(const Selection& selection);

    bool canGoBack() const { return m_position > 0; }

    bool canGoForward() const { return m_position + 1 < m_visited.size(); }

    const Selection& goBack();    ///< Goes back; requires canGoBack().
    const Selection& goForward(); ///< Goes forward; requires canGoForward().

private:
    std::vector<Selection> m_visited;
    std::size_t m_position = 0;
};

} // namespace headscope::ui
