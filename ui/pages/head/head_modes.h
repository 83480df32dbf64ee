#pragma once

#include "ui/pages/shared/mode_page.h"

namespace headscope::ui {

class DistancePage;
class HeadPage;

/// One head as a map or by distance. Where the map leaves room, the distance chart is beside it.
class HeadModes : public ModePage
{
    Q_OBJECT

public:
    HeadModes(Session& session, const std::vector<PageDescriptor>& modes);

    static PageDescriptor descriptor();

    bool hasSideChart() const; ///< beside the map, now

    bool isSettled() const override;
    bool escape() override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;

protected:
    void arrange() override;
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool hasRoomForSide() const;
    bool isSideFocused() const;

    HeadPage& m_head;
    DistancePage& m_distance; ///< Shown in the page of the head while the map is shown
};

} // namespace headscope::ui
