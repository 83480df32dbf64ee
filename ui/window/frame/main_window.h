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
class SessionMessages;
class StatusLine;
class TokenRows;
class TokenStrip;
class Tour;
class TrainingDesk;
class WindowActions;
class WindowFiles;
class Workspaces;

/// Puts the parts into a frame and forwards events that only a window receives. Each part handles
/// its own portion of the session; the window itself computes nothing.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow(Session& session, Settings& settings, const QStringList& builtinModels);

    /// Shows a page by name: "overview", "what-if" or "positions".
    void showPage(const QString& name);
    QString page() const;
    bool isSettled() const; ///< True when no visible measurement is in progress.
    void leaveTimesOut();   ///< Omits timings, so that the same state always gives the same image.
    /// Opens a checkpoint, a session, a figure or a text file.
    void openPath(const QString& path);
    void resetLayout();
    /// Turns presenter mode on or off: larger type, without menu, rail and status line.
    void setPresenting(bool on);
    bool isPresenting() const;
    void startTour();

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
    /// Emitted when the result of this ticket has been painted; `elapsedMs` is the painting time.
    void painted(quint64 ticket, double elapsedMs);
    void presentingChanged(bool on);

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

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
    SessionMessages* m_notes = nullptr;
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
    quint64 m_unpainted = 0; ///< Ticket whose result is about to be painted.
};

} // namespace headscope::ui
