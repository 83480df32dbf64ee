#pragma once

#include "core/lessons/lesson.h"
#include "ui/session/session_file.h"
#include "ui/session/settings.h"
#include "ui/window/actions/command_palette.h"

#include <QObject>
#include <QPointer>
#include <QSize>
#include <QTimer>

#include <memory>
#include <optional>

class QDockWidget;
class QKeyEvent;

namespace headscope::ui {

class BlankScreen;
class LessonColumn;
class LessonMarks;
class LessonRun;
class LessonStage;
class MainWindow;
class Session;

/// What a lesson does with the window: its column at the right, the page and session of a step,
/// the person's own session afterwards, the keys of a clicker.
class LessonDesk : public QObject
{
    Q_OBJECT

public:
    static constexpr double kPresenterScale = 1.4; ///< of all type

    LessonDesk(MainWindow& window, Session& session, Settings& settings);
    ~LessonDesk() override;

    bool isOpen() const; ///< a lesson is; its column stands where the inspector does

    LessonColumn& column() { return *m_column; }

    void follow(const QString& target);    ///< "lesson:ID", "term:WORD", "page:NAME", "lab:NAME"
    void explainPage(const QString& page); ///< opens the lesson about it, or says there is none
    void setPresenting(bool on);
    void fitWidth();
    bool isTight() const; ///< a lesson is open and the window small: the rail gives way
    void next();
    void back();

    /// Instead of what a lesson shows: for what is remembered when the window closes.
    const std::optional<SessionState>& ownState() const { return m_own; }

    void addStep(); ///< what the page in front shows, to the person's own lesson
    void chooseLesson(bool toEdit = false);
    void chooseDraftFile();
    void playFile(const QString& path);
    void editFile(const QString& path);
    void saveDraft(const QString& path);
    void keepDraft(); ///< with the settings, until it is in a file

    void addEntries(std::vector<PaletteEntry>& entries); ///< terms with their lessons

signals:
    void typeScaleWanted(double scale); ///< while presenting: what fits the screen

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showStep();
    void showPageState();
    void showSwitches(); ///< of the worked example that a step shows
    void markPage();
    void bringBack();
    void remember();
    void placeRows();
    void fitScale();
    void fitPage();
    void fitLab();
    void useScale(double scale);
    void connectDraft();
    std::optional<LessonState> stateInFront() const;
    void attempt(const std::function<void()>& action);
    bool takesKey(const QKeyEvent& event) const;
    bool useKey(const QKeyEvent& event);

    MainWindow& m_window;
    Session& m_session;
    Settings& m_settings;
    LessonRun& m_run;
    LessonStage& m_stage;
    LessonColumn* m_column;
    QDockWidget* m_dock;
    LessonMarks* m_marks;
    QPointer<BlankScreen> m_blank;
    std::optional<SessionState> m_own; ///< what the person had before a step brought its session
    int m_ownUndo = 0;
    bool m_presenting = false;
    double m_scale = kPresenterScale;
    bool m_isFitted = false; ///< the type to the present step's lab
    QSize m_room; ///< of the window when presenting began
    bool m_wasOpen = false;
    QTimer m_keepSoon;
};

/// The lesson that explains a page of the window, or null.
const Lesson* lessonOfPage(const LessonLibrary& library, const QString& page);

} // namespace headscope::ui
