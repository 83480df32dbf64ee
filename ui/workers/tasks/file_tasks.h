#pragma once

#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <QString>

#include <functional>

namespace headscope::ui {

/// Reads and writes files beside the thread that made it, one task after the other. The destructor
/// waits for the running one.
class FileTasks : public QObject
{
    Q_OBJECT

public:
    using Answer = std::function<void()>;

    /// `work` runs on the thread of the tasks; what it returns runs on this one.
    void run(std::function<Answer()> work);

signals:
    void failed(const QString& sentence); ///< the work has thrown

private:
    ReturnPath m_home;
    TaskThread m_thread; // last: its tasks use the other
};

} // namespace headscope::ui
