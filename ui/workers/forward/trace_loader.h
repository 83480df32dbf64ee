#pragma once

#include "ui/workers/forward/forward_job.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

#include <string>

namespace headscope::ui {

/// A trace that was written to a file, as a result that nothing computed.
struct CapturedTrace
{
    LoadedModel names; ///< the file's path and the names of its tokens, without a model
    ForwardResult result;
    QString note; ///< what is odd about it, one sentence or more; else empty
};

/// On the calling thread; throws FormatError.
CapturedTrace readCapturedTrace(const std::string& path);

/// Reads trace files on its own thread. A wish that was replaced by a newer one, or forgotten, is
/// not answered. Signals arrive on the thread that created the loader.
class TraceLoader : public QObject
{
    Q_OBJECT

public:
    explicit TraceLoader(QObject* parent = nullptr);

    void load(const QString& path);
    void forget();

signals:
    void loaded(const headscope::ui::CapturedTrace& captured);
    void failed(const QString& sentence);

private:
    LatestTask m_task;
};

} // namespace headscope::ui
