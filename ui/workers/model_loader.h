#pragma once

#include "core/model/tracer.h"

#include <QObject>
#include <QThread>

#include <functional>
#include <string>

namespace headscope::ui {

/// Opens models on its own thread, the newest wish first; a wish that was replaced is not answered.
class ModelLoader : public QObject
{
    Q_OBJECT

public:
    using Open = std::function<LoadedModel(const std::string&)>;

    explicit ModelLoader(Open open, QObject* parent = nullptr);
    ~ModelLoader() override;

    void load(const QString& name);

signals:
    void loaded(const headscope::LoadedModel& model);
    void failed(const QString& name, const QString& sentence);

private:
    void loadOnThread(quint64 wish, const QString& name);
    void deliver(quint64 wish, const std::function<void()>& answer);

    Open m_open;
    quint64 m_wish = 0;
    QThread m_thread;
    QObject m_onThread; // lives on m_thread
};

} // namespace headscope::ui
