#pragma once

#include "ui/workers/models/model_opener.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

#include <functional>
#include <string>

namespace headscope::ui {

/// Opens models on its own thread, one at a time. A newer wish stops the one before it, which is
/// not answered any more. Signals arrive on the thread that created the loader.
class ModelLoader : public QObject
{
    Q_OBJECT

public:
    using Open = ModelOpener;

    explicit ModelLoader(Open open, QObject* parent = nullptr);

    void load(const QString& name);
    void cancel(); ///< nothing more is said of the last wish

signals:
    /// Bytes of the weights, a few times a second. Those who open without progress never say it.
    void advanced(const QString& name, quint64 done, quint64 total);
    void loaded(const headscope::OpenedModel& opened);
    void failed(const QString& name, const QString& sentence);

private:
    OpenedModel open(const std::string& name, const LatestTask::Control& control);

    Open m_open;
    LatestTask m_task;
};

} // namespace headscope::ui
