// How a Session opens models; its state is in session.cpp.
#include "ui/session/session.h"
#include "ui/workers/forward/trace_loader.h"

#include <utility>

namespace headscope::ui {

void Session::openModel(const QString& name)
{
    m_loading = name;
    m_loadingBytes = {};
    if (m_traceLoader)
        m_traceLoader->forget();
    m_loader->load(name);
    emit busyChanged();
}

void Session::cancelLoading()
{
    if (m_loading.isEmpty())
        return;
    m_loader->cancel();
    if (m_traceLoader)
        m_traceLoader->forget();
    const QString name = std::exchange(m_loading, QString());
    emit loadingCancelled(name);
    emit busyChanged();
}

void Session::connectOpening()
{
    connect(m_loader.get(), &ModelLoader::advanced, this,
            [this](const QString&, quint64 done, quint64 total) {
                m_loadingBytes = {done, total};
                emit loadingAdvanced();
            });
    connect(m_loader.get(), &ModelLoader::loaded, this, &Session::adoptOpened);
    connect(m_loader.get(), &ModelLoader::failed, this,
            [this](const QString&, const QString& sentence) {
                m_loading.clear();
                emit busyChanged();
                emit errorRaised(sentence);
            });
    connect(m_secondLoader.get(), &ModelLoader::loaded, this, [this](const OpenedModel& opened) {
        m_secondModel = opened.model;
        post();
    });
    connect(m_secondLoader.get(), &ModelLoader::failed, this,
            [this](const QString&, const QString& sentence) { emit errorRaised(sentence); });
    connect(&m_audit, &ModelAudit::changed, this, &Session::auditChanged);
}

void Session::adoptOpened(const OpenedModel& opened)
{
    const bool isAudited = !opened.audit.tensors.empty();
    adoptModel(opened.model, isAudited ? std::make_shared<const LoadAudit>(opened.audit) : nullptr);
}

void Session::openSecondModel()
{
    m_secondModel = {};
    if (m_changes.model.isEmpty())
        m_secondLoader->cancel();
    else
        m_secondLoader->load(m_changes.model);
}

} // namespace headscope::ui
