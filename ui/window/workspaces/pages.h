#pragma once

#include "ui/pages/shared/page_descriptor.h"

#include <optional>
#include <vector>

namespace headscope::ui {

/// The three divisions of the window; see ui/window/workspaces/workspaces.h.
enum class Workspace { Explore, Learn, Train };

constexpr Workspace kWorkspaces[] = {Workspace::Explore, Workspace::Learn, Workspace::Train};

/// All pages in the order of the rail and the View menu: those of a workspace together, and in it
/// those of a group.
std::vector<PageDescriptor> pageDescriptors();

/// The page or the mode of a page with this name.
std::optional<PageDescriptor> pageNamed(const QString& name);

/// Names of all pages and their modes: every name that opens a page.
QStringList placeNames();

/// True where the options of a page change more than the page: those of Lessons open a lesson.
bool optionsReachBeyond(const QString& page);

Workspace workspaceOf(PageGroup group);
QString workspaceId(Workspace workspace);   ///< "explore": actions and menus
QString workspaceName(Workspace workspace); ///< translated: "Explore"
QString groupName(PageGroup group);         ///< translated: "Look"
QString pageShortcut(int number);           ///< Alt+1 ... Alt+9 in a workspace; empty beyond

} // namespace headscope::ui
