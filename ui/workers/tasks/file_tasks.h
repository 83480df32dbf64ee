#pragma once

#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <QString>

#include <functional>

namespace headscope::ui {

/// Reads and writes files in a background thread, one task after the other. The destructor waits
/// for the running one.
class FileTasks : public QObject
{
    Q_OBJECT

public:
    using Answer = std::function<void()>;

    /// Runs `work` on the tasks' thread and its returned function on the calling one.
    void run(std::function<Answer()> work);

signals:
    void failed(const QString& sentence); ///< Emitted when the work throws.

private:
    ReturnPath m_home;
    TaskThread m_thread; // Declared last, as its tasks use the other member.
};

} // namespace headscope::ui
