#include "ui/session/computation.h"

#include "ui/session/changes/change_interventions.h"
#include "ui/session/open_models.h"
#include "ui/session/session_document.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kStaleAfterMs = 150;

} // namespace

Computation::Computation(const SessionDocument& document, const OpenModels& models,
                         BackendRegistry registry)
    : m_document(document)
    , m_models(models)
    , m_worker(std::move(registry))
{
    m_staleTimer.setSingleShot(true);
    m_staleTimer.setInterval(kStaleAfterMs);
    connect(&m_staleTimer, &QTimer::timeout, this, [this] { setStale(true); });
    connect(&m_worker, &ForwardWorker::finished, this, &Computation::accept);
    connect(&m_worker, &ForwardWorker::failed, this, &Computation::refuse);
    connect(&m_worker, &ForwardWorker::advanced, this, &Computation::advance);
    connect(&m_worker, &ForwardWorker::deviceReady, this, &Computation::deviceChanged);
    connect(&m_worker, &ForwardWorker::deviceFailed, this,
            [this](const QString&, const QString& sentence) {
                emit deviceChanged();
                emit deviceFailed(tr("%1 Attention runs on the CPU instead.").arg(sentence));
            });
}

void Computation::post()
{
    if (!m_models.model().model)
        return;
    ForwardJob job;
    job.ticket = ++m_ticket;
    job.model = m_models.model();
    job.text = m_document.runText();
    if (!m_document.changes().empty() && m_models.isSecondReady())
        job.second = secondRun();
    job.request = m_viewRequest;
    for (const auto& [who, globs] : m_requests)
        job.request.sites.insert(job.request.sites.end(), globs.begin(), globs.end());
    job.device = m_device.toStdString();
    m_worker.post(std::move(job));
    if (!m_staleTimer.isActive())
        m_staleTimer.start();
}

SecondRun Computation::secondRun() const
{
    const Changes& changes = m_document.changes();
    SecondRun second{m_models.second(), m_document.runText(), {}};
    if (changes.text) {
        second.text.text = changes.text->toStdString();
        second.text.chat.reset();
    }
    if (changes.target)
        second.text.target = changes.target->toStdString();
    if (changes.text || changes.target || !changes.model.isEmpty())
        second.text.tokens.reset(); // the worker tokenizes it
    second.interventions = [changes](const SecondRunContext& context) {
        return interventionsOf(changes, context);
    };
    return second;
}

void Computation::askFor(const QObject* who, std::vector<std::string> globs)
{
    if (m_requests.count(who) == 0)
        connect(who, &QObject::destroyed, this, [this, who] { m_requests.erase(who); });
    std::vector<std::string>& request = m_requests[who];
    if (request == globs)
        return;
    request = std::move(globs);
    post();
}

void Computation::accept(const ForwardResult& result)
{
    if (result.ticket < m_firstTicket || result.ticket < m_result.ticket)
        return;
    m_result = result;
    answered(result.ticket);
    emit finished();
    if (!result.problem.isEmpty())
        emit failed(result.problem);
}

void Computation::cancel()
{
    m_worker.cancel();
}

void Computation::setBudgets(std::size_t patterns, std::size_t activations)
{
    m_viewRequest.patternBudget = patterns;
    m_viewRequest.activationBudget = activations;
    post();
}

void Computation::advance(quint64 ticket, double fraction)
{
    if (ticket < m_firstTicket)
        return;
    m_fraction = fraction;
    emit advanced();
}

void Computation::refuse(quint64 ticket, const QString& sentence)
{
    if (ticket < m_firstTicket)
        return;
    answered(ticket);
    emit failed(sentence);
}

void Computation::answered(quint64 ticket)
{
    m_answered = std::max(m_answered, ticket);
    m_fraction = 0.0;
    emit advanced();
    if (ticket == m_ticket) {
        m_staleTimer.stop();
        setStale(false);
        emit caughtUp();
    } else {
        m_staleTimer.start();
    }
}

void Computation::setStale(bool stale)
{
    if (stale == m_isStale)
        return;
    m_isStale = stale;
    emit staleChanged();
}

void Computation::setDevice(const QString& choice)
{
    if (choice == m_device)
        return;
    m_device = choice;
    emit deviceChanged();
    post();
}

void Computation::forget()
{
    m_result = {};
    m_firstTicket = m_ticket + 1;
}

void Computation::adopt(const ForwardResult& captured)
{
    m_result = captured;
    m_result.ticket = m_answered = m_firstTicket = ++m_ticket;
    m_fraction = 0.0;
    m_staleTimer.stop();
    m_isStale = false;
}

} // namespace headscope::ui
