#pragma once

#include "ui/pages/shared/page.h"
#include "ui/window/frame/icons.h"

#include <functional>
#include <vector>

namespace headscope::ui {

/// One page of the window, as the rail, the View menu, the palette and `--page` know it.
struct PageEntry
{
    QString name;  ///< stable: settings, sessions, command line
    QString title; ///< translated, for the rail
    IconName icon = IconName::Overview;
    std::function<QWidget*(Session&)> make;
    /// The same picture without a window, for `headscope render --view name`; may be empty.
    std::function<Figure(const Looking&, const QJsonObject& options)> figure;
};

/// In the order of the rail. Ctrl+1 to Ctrl+9 and Ctrl+0 reach the first ten.
std::vector<PageEntry> pageEntries();

} // namespace headscope::ui
