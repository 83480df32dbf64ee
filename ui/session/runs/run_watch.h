#pragma once

#include "ui/session/runs/training_record.h"
#include "ui/workers/tasks/file_tasks.h"

#include <QTimer>

namespace headscope::ui {

/// Reads a run from its directory without opening it for training, repeatedly while another process
/// writes it.
class RunWatch : public QObject
{
    Q_OBJECT

public:
    explicit RunWatch(FileTasks& files); ///< Uses `files`, which must be destroyed first.

    void open(const std::filesystem::path& folder); ///< Opens a run; ends with opened().

    bool isOpening() const { return m_isOpening; }

    /// Reads the changes since `known`; ends with wasRead().
    void read(const TrainingRecord& known);

    void setRepeated(bool on); ///< Turns a due() signal every second on or off.

    void stopOpening() { m_isOpening = false; } ///< Stops opening after a failure.

signals:
    void opened(const headscope::ui::TrainingRecord& record, bool isWritten);
    void wasRead(const headscope::ui::TrainingRecord& record, bool isWritten);
    void due(); ///< Emitted when it is time to call read().

private:
    FileTasks& m_files;
    bool m_isOpening = false;
    QTimer m_again;
};

} // namespace headscope::ui
