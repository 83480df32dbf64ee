#include "ui/window/actions/go_to_anything.h"

#include "ui/session/settings.h"
#include "ui/window/actions/command_palette_button.h"
#include "ui/window/actions/palette_entries.h"
#include "ui/window/actions/window_actions.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QMenuBar>

#include <utility>

namespace headscope::ui {

GoToAnything::GoToAnything(QMainWindow& window, Session& session, Settings& settings,
                           WindowActions& actions, ModelSearch& models, AddEntries addLessons)
    : QObject(&window)
    , m_session(session)
    , m_settings(settings)
    , m_actions(actions)
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
    actions.on("edit.findToken", this, &GoToAnything::showTokens);
}

void GoToAnything::showAll()
{
    const auto open = [this](const QString& path) { emit fileWanted(path); };
    Entries entries = actionEntries(m_actions.all());
    for (const QString& path : m_settings.value(Setting::RecentFiles).toStringList())
        entries.push_back(
            {tr("open %1").arg(QFileInfo(path).fileName()), path, [open, path] { open(path); }});
    addModelEntries(entries, m_models, open);
    m_addLessons(entries);
    addTokenEntries(entries, m_session);
    addHeadEntries(entries, m_session);
    m_palette->open(std::move(entries));
}

void GoToAnything::showTokens()
{
    Entries entries;
    addTokenEntries(entries, m_session);
    m_palette->open(std::move(entries));
}

} // namespace headscope::ui
