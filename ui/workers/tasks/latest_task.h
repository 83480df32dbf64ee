#pragma once

#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace headscope::ui {

/// Work of which only the newest counts, on a thread of its own. What is started replaces what
/// waits and stops what runs; whatever an older one still says is dropped. Used on the thread that
/// made it, where answers arrive, too. The destructor stops what runs and waits for it, so it is the
/// last member of its owner.
class LatestTask
{
public:
    /// The work as it sees itself, on the other thread.
    class Control
    {
    public:
        Control(ReturnPath& home, std::stop_token stop) : m_home(&home), m_stop(std::move(stop)) {}

        const std::stop_token& stop() const { return m_stop; }

        /// Makes the call at home, unless the work has been stopped by then.
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

    /// `work(control)` is called on the other thread, then `done(result)` at home, or `failed` with why
    /// it threw. A Cancelled that it throws is not answered: whoever stopped it knows.
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

    void cancel(); ///< nothing more is said

    bool isRunning() const { return m_isRunning; } ///< an answer will come

private:
    using Answer = std::function<void()>;

    void begin(std::function<Answer(const Control&)> work, Failed failed);
    void answer(const Control& control, Answer call);

    bool m_isRunning = false;
    std::stop_source m_stop; ///< of the newest
    ReturnPath m_home;
    std::optional<TaskThread> m_thread; // since the first start; last: its tasks use the others
};

} // namespace headscope::ui
