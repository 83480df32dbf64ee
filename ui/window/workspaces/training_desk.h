#pragma once

#include <QObject>

#include <functional>

namespace headscope::ui {

class MessageBar;
class RunsPage;
class Session;
class Settings;
class Training;
class WindowActions;
class Workspaces;

/// The run in training as the window sees it: its menu, the pages about it and how they lead to
/// each other, the folders of runs, and what becomes of it when the window closes.
class TrainingDesk : public QObject
{
    Q_OBJECT

public:
    TrainingDesk(Session& session, Settings& settings, WindowActions& actions,
                 Workspaces& workspaces, MessageBar& messages);

    /// False while it asks, without a dialog, what becomes of steps that are on no disk yet.
    bool mayClose();

signals:
    void closeWanted(); ///< it was answered

private:
    void connectActions(WindowActions& actions);
    void connectPages();
    void connectRuns(RunsPage& runs);
    void rememberFolders(RunsPage& runs);
    void refreshActions(const WindowActions& actions);
    void start();
    void openRun(const QString& path, const std::function<void(Training&)>& then = {});
    void answerClosing(int button);

    Training& m_training;
    Settings& m_settings;
    Workspaces& m_workspaces;
    MessageBar& m_messages;
    bool m_asks = false;   ///< what becomes of the run
    bool m_closes = false; ///< that has been said
};

} // namespace headscope::ui
