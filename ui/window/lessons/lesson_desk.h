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

/// What a lesson does with the window: its column at the right, the page and session of a step,
/// the person's own session afterwards.
class LessonDesk : public QObject
{
    Q_OBJECT

public:
    LessonDesk(MainWindow& window, Session& session, Settings& settings);

    bool isOpen() const; ///< a lesson is; its column stands where the inspector does

    LessonColumn& column() { return *m_column; }

    LessonFiles& files() { return *m_files; }

    PresenterScale& presenterScale() { return *m_scale; }

    void follow(const QString& target); ///< "lesson:ID", "term:WORD", "page:NAME", "lab:NAME"
    void explainPage();                 ///< opens the lesson about the one in front
    void setPresenting(bool on);
    void fitWidth();
    bool isTight() const; ///< a lesson is open and the window small: the rail gives way
    void next();
    void back();

    /// Instead of what a lesson shows: for what is remembered when the window closes.
    const std::optional<SessionState>& ownState() const { return m_own; }

    void addEntries(std::vector<PaletteEntry>& entries); ///< terms with their lessons

signals:
    void presentingWanted();

private:
    void connectParts();
    void showStep();
    void showStepState();
    void showPageState();
    void showSession(const LessonState& state);
    void showSwitches(); ///< of the worked example that a step shows
    void markPage();
    void bringBack();
    void remember();
    void placeRows();

    MainWindow& m_window;
    Session& m_session;
    Settings& m_settings;
    LessonRun& m_run;
    LessonStage& m_stage;
    LessonColumn* m_column;
    QDockWidget* m_dock;
    LessonMarks* m_marks;
    PresenterScale* m_scale;
    LessonKeys* m_keys;
    LessonFiles* m_files;
    std::optional<SessionState> m_own; ///< what the person had before a step brought its session
    int m_ownUndo = 0;
    bool m_wasOpen = false;
};

} // namespace headscope::ui
