#pragma once

#include "core/lessons/lesson_numbers.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>
#include <QStringList>

namespace headscope::ui {

/// Checks a lesson in a background thread: fills one step and lists the problems of all steps.
class LessonChecker : public QObject
{
    Q_OBJECT

public:
    struct Answer
    {
        std::optional<FilledStep> filled;
        QString problem;        ///< Reason why no step was filled.
        QStringList complaints; ///< Problems of the whole lesson, each naming its step.
    };

    /// Checks a lesson, replacing the previous request. Fills no step if `step` is outside the
    /// lesson.
    void check(const Lesson& lesson, int step, const LabContext& context);

    bool isSettled() const { return !m_task.isRunning(); }

signals:
    void answered(const headscope::ui::LessonChecker::Answer& answer);

private:
    LatestTask m_task;
};

} // namespace headscope::ui
