#pragma once

#include "ui/session/session.h"
#include "ui/window/actions/command_palette.h"
#include "ui/workers/models/model_search.h"

#include <QAction>
#include <QList>

namespace headscope::ui {

class WindowActions;
class Workspaces;

/// Every action that is enabled, but for those that open a page; a choice of several is named with
/// its menu ("Theme: Dark").
std::vector<PaletteEntry> actionEntries(const QList<QAction*>& actions);

/// Every page and mode: found by title, question, name, and the subjects of its lesson.
void addPageEntries(std::vector<PaletteEntry>& entries, const WindowActions& actions,
                    Workspaces& workspaces);

/// Every row of the settings; `open` shows them and goes to the row of this name.
void addSettingEntries(std::vector<PaletteEntry>& entries,
                       const std::function<void(const QString& name)>& open);

/// What was found on this machine; looks again for the next time.
void addModelEntries(std::vector<PaletteEntry>& entries, ModelSearch& search,
                     const std::function<void(const QString& path)>& open);

void addTokenEntries(std::vector<PaletteEntry>& entries, Session& session);
void addHeadEntries(std::vector<PaletteEntry>& entries, Session& session);

} // namespace headscope::ui
