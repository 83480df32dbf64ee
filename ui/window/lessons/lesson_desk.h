#pragma once

#include "core/lessons/lesson.h"
#include "ui/session/session_file.h"
#include "ui/session/settings.h"
#include "ui/window/actions/command_palette.h"

#include <QObject>

#include <optional>
#include <vector>

class QDockWidget;

namespace headscope::ui {

class LessonColumn;
class LessonFiles;
class LessonKeys;
class LessonMarks;
class LessonRun;
class LessonStage;
class MainWindow;
class PresenterScale;
class Session;

/// Shows a lesson in the window: its column at the right, the page and session of each step, and
/// the user's own session afterwards.
class LessonDesk : public QObject
{
    Q_OBJECT

public:
    LessonDesk(MainWindow& window, Session& session, Settings& settings);

    bool isOpen() const; ///< True while a lesson is open; its column replaces the inspector.

    LessonColumn& column() { return *m_column; }

    LessonFiles& files() { return *m_files; }

    PresenterScale& presenterScale() { return *m_scale; }

    /// Follows a link: "lesson:ID", "term:WORD", "page:NAME" or "lab:NAME".
    void follow(const QString& target);
    void explainPage(); ///< Opens the lesson about the page in front.
    void setPresenting(bool on);
    void fitWidth();
    /// True while a lesson is open in a small window; the rail is then compact.
    bool isTight() const;
    void next();
    void back();

    /// The user's own session while a lesson shows another one; this is the one to save.
    const std::optional<SessionState>& ownState() const { return m_own; }

    int ownUndo() const { return m_ownUndo; } ///< Place of ownState() in the undo history.

    /// Continues the open lesson of another window, whose ownState() and ownUndo() these are.
    void resume(const std::optional<SessionState>& own, int ownUndo);

    /// Adds terms and their lessons to the palette.
    void addEntries(std::vector<PaletteEntry>& entries);

signals:
    void presentingWanted();

private:
    void connectParts();
    void takeStage(LessonStage& stage);
    void showStep();
    void showStepState();
    void showPageState();
    void showSession(const LessonState& state);
    /// Emitted to show the options of the worked example in the current step.
    void showSwitches();
    void markPage();
    void bringBack();
    void remember();
    void placeRows();

    MainWindow& m_window;
    Session& m_session;
    Settings& m_settings;
    LessonRun& m_run;
    LessonStage* m_stage = nullptr; ///< Null until the Lessons page is made.
    LessonColumn* m_column;
    QDockWidget* m_dock;
    LessonMarks* m_marks;
    PresenterScale* m_scale;
    LessonKeys* m_keys;
    LessonFiles* m_files;
    /// The user's session before the first step with a session of its own.
    std::optional<SessionState> m_own;
    int m_ownUndo = 0;
    bool m_wasOpen = false;
};

} // namespace headscope::ui
