#pragma once

#include "ui/window/workspaces/pages.h"

namespace headscope::ui {

/// Pages that the rail shows under one name.
struct PageGroup
{
    QString name; ///< translated: "Explore"
    std::vector<PageEntry> pages;
};

/// All pages as the rail and the View menu order them. Ctrl+1 to Ctrl+9 and Ctrl+0 are the first
/// ten.
std::vector<PageGroup> pageGroups();

/// Ctrl+1 ... Ctrl+9, Ctrl+0; empty beyond.
QString pageShortcut(int number);

} // namespace headscope::ui
