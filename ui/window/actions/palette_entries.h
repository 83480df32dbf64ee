#pragma once

#include "ui/session/session.h"
#include "ui/window/actions/command_palette.h"
#include "ui/workers/models/model_search.h"

#include <QAction>
#include <QList>

namespace headscope::ui {

/// Every action that can be used now; a choice of several says of what ("Theme: Dark").
std::vector<PaletteEntry> actionEntries(const QList<QAction*>& actions);

/// What was found on this machine; looks again for the next time.
void addModelEntries(std::vector<PaletteEntry>& entries, ModelSearch& search,
                     const std::function<void(const QString& path)>& open);

void addTokenEntries(std::vector<PaletteEntry>& entries, Session& session);
void addHeadEntries(std::vector<PaletteEntry>& entries, Session& session);

} // namespace headscope::ui
