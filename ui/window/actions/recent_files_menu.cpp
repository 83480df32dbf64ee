#include "ui/window/actions/recent_files_menu.h"

#include "ui/session/settings.h"
#include "ui/window/frame/window_texts.h"

#include <QFileInfo>
#include <QMenu>
#include <QStringList>

namespace headscope::ui {

RecentFilesMenu::RecentFilesMenu(QMenu& menu, Settings& settings)
    : QObject(&menu)
    , m_menu(menu)
    , m_settings(settings)
{
    connect(&settings, &Settings::changed, this, [this](Setting setting) {
        if (setting == Setting::RecentFiles)
            fill();
    });
    fill();
}

void RecentFilesMenu::fill()
{
    m_menu.clear();
    QStringList files = m_settings.value(Setting::RecentFiles).toStringList();
    files.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    m_menu.menuAction()->setEnabled(!files.isEmpty());
    for (const QString& path : files) {
        QAction* action = m_menu.addAction(sourceName(path));
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { emit fileWanted(path); });
    }
    if (files.isEmpty())
        return;
    m_menu.addSeparator();
    connect(m_menu.addAction(tr("Clear list")), &QAction::triggered, this,
            [this] { m_settings.set(Setting::RecentFiles, QStringList()); });
}

} // namespace headscope::ui
