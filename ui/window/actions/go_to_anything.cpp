#include "ui/window/actions/go_to_anything.h"

#include "ui/session/settings.h"
#include "ui/window/actions/command_palette_button.h"
#include "ui/window/actions/palette_entries.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/settings_dialog.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QMenuBar>

#include <utility>

namespace headscope::ui {

GoToAnything::GoToAnything(QMainWindow& window, Session& session, Settings& settings,
                           WindowActions& actions, Workspaces& workspaces, ModelSearch& models,
                           AddEntries addLessons)
    : QObject(&window)
    , m_session(session)
    , m_settings(settings)
    , m_window(window)
    , m_actions(actions)
    , m_workspaces(workspaces)
    , m_models(models)
    , m_addLessons(std::move(addLessons))
    , m_palette(new CommandPalette(&window))
{
    QMenuBar& bar = *window.menuBar();
    auto* button =
        new CommandPaletteButton(tr("Go to anything"), QKeySequence("Ctrl+Shift+P"), &bar);
    connect(button, &QToolButton::clicked, this, &GoToAnything::showAll);
    bar.setCornerWidget(button);
    actions.on("help.anything", this, &GoToAnything::showAll);
}

void GoToAnything::showAll()
{
    const auto open = [this](const QString& path) { emit fileWanted(path); };
    Entries entries;
    addPageEntries(entries, m_actions, m_workspaces);
    for (PaletteEntry& action : actionEntries(m_actions.all()))
        entries.push_back(std::move(action));
    addSettingEntries(entries, [this](const QString& name) { showSetting(name); });
    for (const QString& path : m_settings.value(Setting::RecentFiles).toStringList())
        entries.push_back(
            {tr("open %1").arg(QFileInfo(path).fileName()), path, [open, path] { open(path); }});
    addModelEntries(entries, m_models, open);
    m_addLessons(entries);
    addTokenEntries(entries, m_session);
    addHeadEntries(entries, m_session);
    m_palette->open(std::move(entries));
}

void GoToAnything::showSetting(const QString& name)
{
    m_actions.action("edit.settings").trigger();
    if (auto* dialog = m_window.findChild<SettingsDialog*>())
        dialog->focusRow(name);
}

} // namespace headscope::ui
