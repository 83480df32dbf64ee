#pragma once

#include "ui/pages/shared/page_descriptor.h"

#include <vector>

namespace headscope::ui {

/// All pages in the order of the rail and the View menu, those of a group together. Ctrl+1 to Ctrl+9
/// and Ctrl+0 reach the first ten.
std::vector<PageDescriptor> pageDescriptors();

QString groupName(PageGroup group); ///< translated: "Explore"
QString pageShortcut(int number);   ///< Ctrl+1 ... Ctrl+9, Ctrl+0; empty beyond

} // namespace headscope::ui
