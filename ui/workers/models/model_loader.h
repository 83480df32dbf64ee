#pragma once

#include "ui/workers/models/model_opener.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

#include <functional>
#include <string>

namespace headscope::ui {

/// Opens models in its own thread, one at a time. A newer request cancels the previous one, which
/// is not answered. Signals arrive on the thread that created the loader.
class ModelLoader : public QObject
{
    Q_OBJECT

public:
    using Open = ModelOpener;

    explicit ModelLoader(Open open);

    void load(const QString& name);
    void cancel(); ///< Cancels the last request, which is not answered.

signals:
    /// Emitted a few times a second with the bytes of the weights; never by openers without
    /// progress.
    void advanced(const QString& name, quint64 done, quint64 total);
    void loaded(const headscope::OpenedModel& opened);
    void failed(const QString& name, const QString& sentence);

private:
    OpenedModel open(const std::string& name, const LatestTask::Control& control);

    Open m_open;
    LatestTask m_task;
};

} // namespace headscope::ui
