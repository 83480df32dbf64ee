#pragma once

#include "ui/workers/forward/forward_job.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

#include <string>

namespace headscope::ui {

/// A trace read from a file, in the form of a result.
struct CapturedTrace
{
    LoadedModel names; ///< Path of the file and the texts of its tokens, without a model.
    std::vector<std::string> roles; ///< Of the turns of a chat; may be empty.
    ForwardResult result;
    QString note; ///< Warnings about the trace, one or more sentences; else empty.
};

/// Reads a trace on the calling thread; throws FormatError.
CapturedTrace readCapturedTrace(const std::string& path);

/// Reads trace files in its own thread. A request that was replaced by a newer one, or dropped, is
/// not answered. Signals arrive on the thread that created the loader.
class TraceLoader : public QObject
{
    Q_OBJECT

public:
    void load(const QString& path);
    void forget();

signals:
    void loaded(const headscope::ui::CapturedTrace& captured);
    void failed(const QString& sentence);

private:
    LatestTask m_task;
};

} // namespace headscope::ui
