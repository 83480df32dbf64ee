#pragma once

#include "core/lessons/lesson_numbers.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>
#include <QStringList>

namespace headscope::ui {

/// Looks over a lesson on a thread of its own: one step filled, and what is wrong with all of them.
class LessonChecker : public QObject
{
    Q_OBJECT

public:
    struct Answer
    {
        std::optional<FilledStep> filled;
        QString problem;        ///< why there is none
        QStringList complaints; ///< of the whole lesson, each naming its step
    };

    /// Instead of what was asked before. `step` outside the lesson: none is filled.
    void check(const Lesson& lesson, int step, const LabContext& context);

    bool isSettled() const { return !m_task.isRunning(); }

signals:
    void answered(const headscope::ui::LessonChecker::Answer& answer);

private:
    LatestTask m_task;
};

} // namespace headscope::ui
