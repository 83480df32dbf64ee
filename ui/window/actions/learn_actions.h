#pragma once

#include <QObject>

class QAction;

namespace headscope::ui {

class LessonDesk;
class LessonRun;
class WindowActions;

/// Actions that navigate a lesson and edit the user's own lesson.
class LearnActions : public QObject
{
    Q_OBJECT

public:
    LearnActions(WindowActions& actions, LessonDesk& desk, LessonRun& run);

private:
    void refresh();

    const LessonRun& m_run;
    QAction& m_back;
};

} // namespace headscope::ui
