#include "ui/session/selection.h"

namespace headscope::ui {

void SelectionHistory::visit(const Selection& selection)
{
    Selection& here = m_visited[m_position];
    if (here.part == selection.part && here.layer == selection.layer &&
        here.head == selection.head) {
        here = selection;
        return;
    }
    constexpr std::size_t kLongest = 200;
    m_visited.resize(m_position + 1);
    m_visited.push_back(selection);
    if (m_visited.size() > kLongest)
        m_visited.erase(m_visited.begin());
    m_position = m_visited.size() - 1;
}

const Selection& SelectionHistory::goBack()
{
    return m_visited[--m_position];
}

const Selection& SelectionHistory::goForward()
{
    return m_visited[++m_position];
}

} // namespace headscope::ui
