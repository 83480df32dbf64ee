// What the menu asks of the window: settings, going to anything.
#include "ui/window/actions/model_actions.h"
#include "ui/window/actions/palette_entries.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/settings_dialog.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/lessons/lesson_desk.h"

#include <QFileInfo>

namespace headscope::ui {

void MainWindow::openPath(const QString& path)
{
    m_files->open(path);
}

void MainWindow::showSettings()
{
    if (auto* open = findChild<SettingsDialog*>()) {
        open->raise();
        open->activateWindow();
        return;
    }
    (new SettingsDialog(m_session, m_settings, this))->show();
}

void MainWindow::showPalette()
{
    std::vector<PaletteEntry> entries = actionEntries(m_actions->all());
    for (const QString& path : m_settings.value(Setting::RecentFiles).toStringList())
        entries.push_back({tr("open %1").arg(QFileInfo(path).fileName()), path,
                           [this, path] { openPath(path); }});
    addModelEntries(entries, m_modelActions->models(),
                    [this](const QString& path) { openPath(path); });
    m_desk->addEntries(entries);
    addTokenEntries(entries, m_session);
    addHeadEntries(entries, m_session);
    m_palette->open(std::move(entries));
}

void MainWindow::showTokenSearch()
{
    std::vector<PaletteEntry> entries;
    addTokenEntries(entries, m_session);
    m_palette->open(std::move(entries));
}

} // namespace headscope::ui
