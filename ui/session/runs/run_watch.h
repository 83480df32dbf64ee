#pragma once

#include "ui/session/runs/training_record.h"
#include "ui/workers/tasks/file_tasks.h"

#include <QTimer>

namespace headscope::ui {

/// Reads a run from its directory without opening it for training; again and again while another
/// process writes it.
class RunWatch : public QObject
{
    Q_OBJECT

public:
    explicit RunWatch(FileTasks& files); ///< which must end first

    void open(const std::filesystem::path& folder); ///< ends with opened()

    bool isOpening() const { return m_isOpening; }

    void read(const TrainingRecord& known); ///< what is new of it; ends with wasRead()

    void setRepeated(bool on); ///< whether it is time to read again, every second

    void stopOpening() { m_isOpening = false; } ///< it has failed

signals:
    void opened(const headscope::ui::TrainingRecord& record, bool isWritten);
    void wasRead(const headscope::ui::TrainingRecord& record, bool isWritten);
    void due(); ///< it is time to read()

private:
    FileTasks& m_files;
    bool m_isOpening = false;
    QTimer m_again;
};

} // namespace headscope::ui
