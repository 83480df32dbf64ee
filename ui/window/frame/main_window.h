#pragma once

#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/window/frame/window_state.h"

#include <QMainWindow>

namespace headscope::ui {

class DocumentBar;
class GoActions;
class GoToAnything;
class InspectorFrame;
class LessonDesk;
class ManualDesk;
class MessageBar;
class ModelActions;
class OverviewPage;
class Rail;
class SentenceField;
class StatusLine;
class TokenRows;
class TokenStrip;
class Tour;
class TrainingDesk;
class WindowActions;
class WindowFiles;
class Workspaces;

/// Puts the parts into a frame and hands on what only a window is told. Each part knows its share of
/// the session; the window knows no numbers.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow(Session& session, Settings& settings, const QStringList& builtinModels);
    ~MainWindow() override;

    void showPage(const QString& name); ///< "overview", "what-if" or "positions"
    QString page() const;
    bool isSettled() const;             ///< nothing that can be seen is still being measured
    void leaveTimesOut();               ///< a picture of the same state is the same picture
    void openPath(const QString& path); ///< a checkpoint, a session, a figure or a text file
    void resetLayout();
    void setPresenting(bool on); ///< larger type, without menu, rail and status line
    bool isPresenting() const;
    void startTour();
    bool isInspectorShown() const;

    Workspaces& workspaces() { return *m_workspaces; }

    WindowFiles& files() { return *m_files; }

    LessonDesk& lessonDesk() { return *m_lessons; }

    ManualDesk& manual() { return *m_manual; }

    MessageBar& messages() { return *m_messages; }

    SentenceField& sentence();
    TokenRows& tokenRows();
    TokenStrip& strip();
    Rail& rail();
    OverviewPage& overview();

signals:
    /// The picture of this ticket has reached the screen; `elapsedMs` is the time of painting it.
    void painted(quint64 ticket, double elapsedMs);
    void presentingChanged(bool on);

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeActions(const QStringList& builtinModels);
    void makeBody(const QStringList& builtinModels);
    void makeDesks();
    void connectParts();
    void connectFileActions();
    void connectEditActions();
    void connectViewActions();
    void connectHelpActions();
    void explainParts();
    void placeParts();
    void fitParts();
    void followTrace();
    void workHead();
    void showSettings();
    bool leaveSomething();

    Session& m_session;
    Settings& m_settings;
    WindowState m_state;
    WindowActions* m_actions = nullptr;
    GoActions* m_go = nullptr;
    ModelActions* m_modelActions = nullptr;
    DocumentBar* m_document = nullptr;
    MessageBar* m_messages = nullptr;
    Workspaces* m_workspaces = nullptr;
    WindowFiles* m_files = nullptr;
    QDockWidget* m_railDock = nullptr;
    InspectorFrame* m_inspector = nullptr;
    LessonDesk* m_lessons = nullptr;
    ManualDesk* m_manual = nullptr;
    TrainingDesk* m_training = nullptr;
    GoToAnything* m_goToAnything = nullptr;
    StatusLine* m_status = nullptr;
    Tour* m_tour = nullptr;
    quint64 m_unpainted = 0; ///< ticket whose picture is on its way to the screen
};

} // namespace headscope::ui
