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

/// Training in the window: its menu, its pages and the links between them, the folders of runs, and
/// what happens to an unfinished run when the window closes.
class TrainingDesk : public QObject
{
    Q_OBJECT

public:
    TrainingDesk(Session& session, Settings& settings, WindowActions& actions,
                 Workspaces& workspaces, MessageBar& messages);

    /// False while it asks, in the message bar, what to do with steps that are not saved yet.
    bool mayClose();

signals:
    void closeWanted(); ///< the question was answered

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
    bool m_asks = false;   ///< the question is shown
    bool m_closes = false; ///< the answer allows it
};

} // namespace headscope::ui
