#pragma once

#include <vector>

namespace headscope::ui {

/// Which heads of a layer are shown together. Each has a slot (a hue), the lowest free one when it
/// is switched on. Never empty while there are heads.
class HeadChoice
{
public:
    HeadChoice() = default;
    explicit HeadChoice(int heads); ///< all of them up to kAllAtOnce, else the first eight

    static constexpr int kAllAtOnce = 16;

    int heads() const { return m_heads; }

    bool isOn(int head) const { return slotOf(head) >= 0; }

    int slotOf(int head) const;     ///< -1: off
    std::vector<int> shown() const; ///< by rising number

    bool toggle(int head);  ///< false: the last one stays on
    void isolate(int head); ///< only this one; all when it is the only one already

    /// Head numbers by slot, -1 for a free slot: what a session file keeps.
    const std::vector<int>& bySlot() const { return m_slots; }

    /// Heads that do not exist are left out; nothing changes when none is left.
    void restore(const std::vector<int>& headsBySlot);

    friend bool operator==(const HeadChoice&, const HeadChoice&) = default;

private:
    void takeSlot(int head);
    void showAll();

    int m_heads = 0;
    std::vector<int> m_slots;
};

} // namespace headscope::ui
