#pragma once

#include "ui/window/actions/command_palette.h"

#include <QObject>

class QMainWindow;

namespace headscope::ui {

class ModelSearch;
class Session;
class Settings;
class WindowActions;
class Workspaces;

/// Finds any page, command, setting, file, model, lesson, token or head by a few letters: the button
/// at the end of the menu bar, and the palette that it opens.
class GoToAnything : public QObject
{
    Q_OBJECT

public:
    using Entries = std::vector<PaletteEntry>;
    using AddEntries = std::function<void(Entries& entries)>;

    /// Calls `addLessons` to add lesson entries whenever the list is shown.
    GoToAnything(QMainWindow& window, Session& session, Settings& settings, WindowActions& actions,
                 Workspaces& workspaces, ModelSearch& models, AddEntries addLessons);

signals:
    void fileWanted(const QString& path);

private:
    void showAll();
    void showSetting(const QString& name);

    Session& m_session;
    Settings& m_settings;
    QMainWindow& m_window;
    WindowActions& m_actions;
    Workspaces& m_workspaces;
    ModelSearch& m_models;
    AddEntries m_addLessons;
    CommandPalette* m_palette;
};

} // namespace headscope::ui
