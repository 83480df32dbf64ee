#pragma once

#include "ui/workers/models/model_opener.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <QObject>

#include <atomic>
#include <functional>
#include <stop_token>
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
    ~ModelLoader() override; ///< stops what is running

    void load(const QString& name);
    void cancel(); ///< nothing more is said of the last wish

signals:
    /// Bytes of the weights, a few times a second. Those who open without progress never say it.
    void advanced(const QString& name, quint64 done, quint64 total);
    void loaded(const headscope::OpenedModel& opened);
    void failed(const QString& name, const QString& sentence);

private:
    void loadOnThread(quint64 wish, const std::string& name, const std::stop_token& stop);
    Progress::Listener listener(quint64 wish, const std::string& name);
    void deliver(quint64 wish, std::function<void()> answer);

    Open m_open;
    std::stop_source m_stop;         // of the newest wish
    std::atomic<quint64> m_wish = 0; // the newest
    ReturnPath m_home;
    TaskThread m_thread; // last: its tasks use the others
};

} // namespace headscope::ui
