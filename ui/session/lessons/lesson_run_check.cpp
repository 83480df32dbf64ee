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

LessonChecker::~LessonChecker()
{
    m_stop.request_stop();
}

void LessonChecker::check(const Lesson& lesson, int step, const LabContext& context)
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    const quint64 ticket = ++m_ticket;
    m_thread.run([this, ticket, lesson, step, context, stop = m_stop.get_token()] {
        if (stop.stop_requested())
            return;
        Answer answer;
        try {
            answer = answerFor(lesson, step, context, stop);
        } catch (const Cancelled&) {
            return;
        } catch (const std::exception& error) {
            answer.problem = errorSentence(error);
        }
        m_home.send([this, ticket, answer] {
            if (ticket != m_ticket)
                return;
            m_answered = ticket;
            emit answered(answer);
        });
    });
}

} // namespace headscope::ui
