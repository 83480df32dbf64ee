#include "ui/window/frame/settling.h"

#include "ui/pages/shared/session_panel.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>

namespace headscope::ui {

void settleLayouts()
{
    constexpr int kDepth = 4; // nested layouts may depend on each other
    for (int round = 0; round < kDepth; ++round)
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

bool isSettled(const QWidget& window)
{
    const auto panels = window.findChildren<SessionPanel*>();
    return std::all_of(panels.begin(), panels.end(), [](const SessionPanel* panel) {
        return !panel->isVisible() || panel->isSettled();
    });
}

} // namespace headscope::ui
