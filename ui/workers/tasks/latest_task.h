#pragma once

#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace headscope::ui {

/// Background thread for work of which only the newest counts. A new task replaces the waiting one
/// and cancels the running one; later answers of older tasks are dropped. Used on the thread that
/// created it, where answers also arrive. The destructor cancels the running task and waits for it,
/// so this is the last member of its owner.
class LatestTask
{
public:
    /// Control passed to the work, on the background thread.
    class Control
    {
    public:
        Control(ReturnPath& home, std::stop_token stop) : m_home(&home), m_stop(std::move(stop)) {}

        const std::stop_token& stop() const { return m_stop; }

        /// Calls a function on the owner's thread, unless the work has been cancelled by then.
        void tell(std::function<void()> call) const;

    private:
        ReturnPath* m_home;
        std::stop_token m_stop;
    };

    using Failed = std::function<void(const QString& sentence)>;

    LatestTask() = default;
    ~LatestTask();
    LatestTask(const LatestTask&) = delete;
    LatestTask& operator=(const LatestTask&) = delete;

    /// Calls `work(control)` on the background thread, then `done(result)` on the owner's thread,
    /// or `failed` with the error. A thrown Cancelled is not answered, as the caller knows.
    template<class Work, class Done>
    void start(Work work, Done done, Failed failed = {})
    {
        using Result = std::invoke_result_t<Work&, const Control&>;
        begin(
            [work = std::move(work), done = std::move(done)](const Control& control) mutable {
                auto result = std::make_shared<Result>(work(control));
                return Answer([done = std::move(done), result] { done(*result); });
            },
            std::move(failed));
    }

    void cancel(); ///< Cancels the task, which is not answered.

    bool isRunning() const { return m_isRunning; } ///< True while an answer is expected.

private:
    using Answer = std::function<void()>;

    void begin(std::function<Answer(const Control&)> work, Failed failed);
    void answer(const Control& control, Answer call);

    bool m_isRunning = false;
    std::stop_source m_stop; ///< Stops the newest task.
    ReturnPath m_home;
    // Set by the first start; declared last, as its tasks use the other members.
    std::optional<TaskThread> m_thread;
};

} // namespace headscope::ui
