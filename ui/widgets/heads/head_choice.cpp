#include "ui/widgets/heads/head_choice.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace headscope::ui {
namespace {

constexpr int kHues = 8;

} // namespace

HeadChoice::HeadChoice(int heads) : m_heads(heads)
{
    for (int head = 0; head < (heads <= kAllAtOnce ? heads : kHues); ++head)
        m_slots.push_back(head);
}

int HeadChoice::slotOf(int head) const
{
    const auto found = std::find(m_slots.begin(), m_slots.end(), head);
    return found == m_slots.end() || head < 0 ? -1 : static_cast<int>(found - m_slots.begin());
}

std::vector<int> HeadChoice::shown() const
{
    std::vector<int> heads;
    std::copy_if(m_slots.begin(), m_slots.end(), std::back_inserter(heads),
                 [](int head) { return head >= 0; });
    std::sort(heads.begin(), heads.end());
    return heads;
}

bool HeadChoice::toggle(int head)
{
    if (head < 0 || head >= m_heads)
        return false;
    const int slot = slotOf(head);
    if (slot < 0) {
        takeSlot(head);
        return true;
    }
    if (shown().size() == 1)
        return false;
    m_slots[static_cast<std::size_t>(slot)] = -1;
    return true;
}

void HeadChoice::isolate(int head)
{
    if (head < 0 || head >= m_heads)
        return;
    if (isOn(head) && shown().size() == 1)
        return showAll();
    takeSlot(head);
    std::replace_if(
        m_slots.begin(), m_slots.end(), [head](int other) { return other != head; }, -1);
}

void HeadChoice::restore(const std::vector<int>& headsBySlot)
{
    HeadChoice restored;
    restored.m_heads = m_heads;
    for (const int head : headsBySlot)
        restored.m_slots.push_back(head < m_heads && !restored.isOn(head) ? head : -1);
    if (!restored.shown().empty())
        *this = restored;
}

void HeadChoice::takeSlot(int head)
{
    if (isOn(head))
        return;
    const auto free = std::find(m_slots.begin(), m_slots.end(), -1);
    if (free != m_slots.end())
        *free = head;
    else
        m_slots.push_back(head);
}

/// Shown heads keep their hues.
void HeadChoice::showAll()
{
    for (int head = 0; head < m_heads; ++head)
        takeSlot(head);
}

} // namespace headscope::ui
