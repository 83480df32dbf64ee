#include "ui/pages/head/head_modes.h"

#include "ui/pages/head/distance_page.h"
#include "ui/pages/head/head_page.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kLeastSide = 304;
constexpr int kMostSide = 640;

} // namespace

HeadModes::HeadModes(Session& session, const std::vector<PageDescriptor>& modes)
    : ModePage(session, modes)
    , m_head(*static_cast<HeadPage*>(modePages().front()))
    , m_distance(*static_cast<DistancePage*>(modePages().back()))
{
    HeadModes::arrange();
}

/// The map with its labels and sums is about as wide as the page is high.
bool HeadModes::hasRoomForSide() const
{
    return width() - height() >= kLeastSide && !session().text().isEmpty() &&
           distanceProblem(session().viewSnapshot()).isEmpty();
}

void HeadModes::arrange()
{
    const bool isMap = mode() == 0;
    m_distance.setCompact(isMap);
    if (isMap)
        m_head.setSide(&m_distance, std::clamp(width() - height(), kLeastSide, kMostSide));
    else if (layout()->indexOf(&m_distance) < 0)
        layout()->addWidget(&m_distance);
    m_head.setVisible(isMap);
    m_distance.setVisible(!isMap || hasRoomForSide());
}

void HeadModes::refresh(ChangeSet)
{
    arrange();
}

void HeadModes::resizeEvent(QResizeEvent* event)
{
    ModePage::resizeEvent(event);
    arrange();
}

bool HeadModes::hasSideChart() const
{
    return mode() == 0 && m_distance.isVisible();
}

bool HeadModes::isSideFocused() const
{
    return hasSideChart() && m_distance.isAncestorOf(focusWidget());
}

bool HeadModes::isSettled() const
{
    return ModePage::isSettled() && (!hasSideChart() || m_distance.isSettled());
}

bool HeadModes::escape()
{
    if (isSideFocused() && m_distance.escape())
        return true;
    return ModePage::escape() || (hasSideChart() && m_distance.escape());
}

MaybeNumber HeadModes::numberAt(std::optional<QPoint> place) const
{
    const bool isOnSide =
        place ? hasSideChart() && within(m_distance, place).has_value() : isSideFocused();
    return isOnSide ? m_distance.numberAt(place) : ModePage::numberAt(place);
}

PageDescriptor HeadModes::descriptor()
{
    return pageOfModes<HeadModes>({HeadPage::descriptor(), DistancePage::descriptor()});
}

} // namespace headscope::ui
