#include "ui/session/lessons/lesson_run_check.h"

#include "core/base/error.h"
#include "core/lessons/lesson_check.h"
#include "ui/workers/error_sentence.h"

namespace headscope::ui {

namespace {

LessonChecker::Answer answerFor(const Lesson& lesson, int step, const LabContext& context,
                                const std::stop_token& stop)
{
    LessonChecker::Answer answer;
    if (step >= 0 && step < static_cast<int>(lesson.steps.size())) {
        try {
            answer.filled = fillStep(lesson.steps[static_cast<std::size_t>(step)], context, stop);
        } catch (const Cancelled&) {
            throw;
        } catch (const std::exception& error) {
            answer.problem = errorSentence(error);
        }
    }
    for (const std::string& complaint : checkLesson(lesson, context, stop))
        answer.complaints << QString::fromStdString(complaint);
    return answer;
}

} // namespace

void LessonChecker::check(const Lesson& lesson, int step, const LabContext& context)
{
    m_task.start(
        [lesson, step, context](const LatestTask::Control& control) {
            return answerFor(lesson, step, context, control.stop());
        },
        [this](const Answer& answer) { emit answered(answer); },
        [this](const QString& problem) {
            Answer answer;
            answer.problem = problem;
            emit answered(answer);
        });
}

} // namespace headscope::ui
