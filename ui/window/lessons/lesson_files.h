#pragma once

#include "core/lessons/lesson.h"
#include "ui/session/settings.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

namespace headscope::ui {

class LessonRun;
class MainWindow;

/// Creates, opens and saves the user's own lessons.
class LessonFiles : public QObject
{
    Q_OBJECT

public:
    LessonFiles(MainWindow& window, LessonRun& run, Settings& settings);
    ~LessonFiles() override;

    void newLesson(); ///< Starts a lesson with the overview of the current text as its first step.
    void addStep();   ///< Adds the state of the page in front to the user's lesson.
    void chooseLesson();
    void chooseDraft();
    void chooseDraftFile();
    void play(const QString& path);
    void edit(const QString& path);
    void saveDraft(const QString& path);
    void keepDraft(); ///< Stores an unsaved lesson in the settings.

private:
    void connectDraft();
    void playDraft(int step);
    void choose(void (LessonFiles::*then)(const QString& path));
    std::optional<LessonState> stateInFront() const;
    void attempt(const std::function<void()>& action);

    MainWindow& m_window;
    LessonRun& m_run;
    Settings& m_settings;
    QTimer m_keepSoon;
    bool m_offersStep = false; ///< True while the message's button leads to the lesson.
};

} // namespace headscope::ui
