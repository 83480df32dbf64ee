#include "ui/workers/tasks/file_tasks.h"

#include "ui/workers/error_sentence.h"

#include <utility>

namespace headscope::ui {

void FileTasks::run(std::function<Answer()> work)
{
    m_thread.run([this, work = std::move(work)] {
        Answer answer;
        try {
            answer = work();
        } catch (const std::exception& error) {
            answer = [this, sentence = errorSentence(error)] { emit failed(sentence); };
        }
        m_home.send(std::move(answer));
    });
}

} // namespace headscope::ui
