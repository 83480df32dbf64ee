#include "ui/workers/tasks/latest_task.h"

#include "core/base/error.h"
#include "ui/workers/error_sentence.h"

namespace headscope::ui {

void LatestTask::Control::tell(std::function<void()> call) const
{
    m_home->send([stop = m_stop, call = std::move(call)] {
        if (!stop.stop_requested())
            call();
    });
}

LatestTask::~LatestTask()
{
    m_stop.request_stop();
}

void LatestTask::cancel()
{
    m_stop.request_stop();
    m_isRunning = false;
}

void LatestTask::begin(std::function<Answer(const Control&)> work, Failed failed)
{
    cancel();
    m_stop = std::stop_source();
    m_isRunning = true;
    if (!m_thread)
        m_thread.emplace();
    const Control control(m_home, m_stop.get_token());
    m_thread->run([this, control, work = std::move(work), failed = std::move(failed)] {
        if (control.stop().stop_requested())
            return;
        try {
            answer(control, work(control));
        } catch (const Cancelled&) {
            return;
        } catch (const std::exception& error) {
            // Creates the QString on the owner's thread, as strings are not shared between threads.
            answer(control, [failed, sentence = errorSentence(error).toStdString()] {
                if (failed)
                    failed(QString::fromStdString(sentence));
            });
        }
    });
}

void LatestTask::answer(const Control& control, Answer call)
{
    control.tell([this, call = std::move(call)] {
        m_isRunning = false;
        call();
    });
}

} // namespace headscope::ui
