#pragma once

#include <vector>

namespace headscope::ui {

/// Heads of a layer that are shown together. Each has a slot (a hue), the lowest free one when it
/// is shown. Never empty while there are heads.
class HeadChoice
{
public:
    HeadChoice() = default;
    explicit HeadChoice(int heads); ///< Shows all heads up to kAllAtOnce, else the first eight.

    static constexpr int kAllAtOnce = 16;

    int heads() const { return m_heads; }

    bool isOn(int head) const { return slotOf(head) >= 0; }

    int slotOf(int head) const;     ///< Slot of a head; -1: not shown.
    std::vector<int> shown() const; ///< Shown heads in ascending order.

    bool toggle(int head);  ///< Shows or hides a head; false: the last one stays.
    void isolate(int head); ///< Shows only this head; all if it already is the only one.

    /// Head numbers by slot, -1 for a free slot, as stored in session files.
    const std::vector<int>& bySlot() const { return m_slots; }

    /// Restores stored slots without heads that do not exist; changes nothing if none remains.
    void restore(const std::vector<int>& headsBySlot);

    friend bool operator==(const HeadChoice&, const HeadChoice&) = default;

private:
    void takeSlot(int head);
    void showAll();

    int m_heads = 0;
    std::vector<int> m_slots;
};

} // namespace headscope::ui
