#pragma once

#include "ui/session/session.h"
#include "ui/window/actions/command_palette.h"
#include "ui/workers/models/model_search.h"

#include <QAction>
#include <QList>

namespace headscope::ui {

/// Entries for all enabled actions. A choice is prefixed with its menu ("Theme: Dark").
std::vector<PaletteEntry> actionEntries(const QList<QAction*>& actions);

/// Entries for models found on this machine; starts another search for the next time.
void addModelEntries(std::vector<PaletteEntry>& entries, ModelSearch& search,
                     const std::function<void(const QString& path)>& open);

void addTokenEntries(std::vector<PaletteEntry>& entries, Session& session);
void addHeadEntries(std::vector<PaletteEntry>& entries, Session& session);

} // namespace headscope::ui
