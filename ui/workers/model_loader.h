#pragma once

#include "core/model/tracer.h"
#include "ui/workers/return_path.h"
#include "ui/workers/task_thread.h"

#include <QObject>

#include <atomic>
#include <functional>
#include <string>

namespace headscope::ui {

/// Opens models on its own thread. A wish that was replaced by a newer one is not answered. Signals
/// arrive on the thread that created the loader.
class ModelLoader : public QObject
{
    Q_OBJECT

public:
    using Open = std::function<LoadedModel(const std::string&)>;

    explicit ModelLoader(Open open, QObject* parent = nullptr);

    void load(const QString& name);

signals:
    void loaded(const headscope::LoadedModel& model);
    void failed(const QString& name, const QString& sentence);

private:
    void loadOnThread(quint64 wish, const QString& name);
    void deliver(quint64 wish, std::function<void()> answer);

    Open m_open;
    std::atomic<quint64> m_wish = 0; // the newest
    ReturnPath m_home;
    TaskThread m_thread; // last: its tasks use the others
};

} // namespace headscope::ui
