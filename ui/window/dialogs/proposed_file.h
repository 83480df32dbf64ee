#pragma once

#include <QStandardPaths>

namespace headscope::ui {

class Settings;

/// Folder of the last export; before the first one, or without it, the standard folder.
QString exportFolder(const Settings& settings, QStandardPaths::StandardLocation standard);

/// Remembers the folder of an exported file.
void keepExportFolder(Settings& settings, const QString& path);

/// File name for a title, such as "layer-2-head-3".
QString fileNameFor(const QString& title);

/// Path in a folder that no file has yet: `name` with the ending, or with "-2", "-3" before it.
QString freshPath(const QString& folder, const QString& name, const QString& ending);

} // namespace headscope::ui
