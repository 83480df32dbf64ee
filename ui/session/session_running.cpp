// How a Session lets traces be computed and takes them in; its state is in session.cpp.
#include "ui/session/session.h"

#include "ui/session/changes/change_interventions.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

void Session::post()
{
    if (!m_model.model)
        return;
    ForwardJob job;
    job.ticket = ++m_ticket;
    job.model = m_model;
    job.text = runText();
    if (!m_changes.empty() && secondModelIsReady())
        job.second = secondRun();
    job.request = TraceRequest::forViews();
    job.request.patternBudget = m_patternBudget;
    for (const auto& [who, globs] : m_wishes)
        job.request.sites.insert(job.request.sites.end(), globs.begin(), globs.end());
    job.device = m_device.toStdString();
    m_worker->post(std::move(job));
    if (!m_staleTimer.isActive())
        m_staleTimer.start();
}

RunText Session::runText() const
{
    RunText text;
    text.text = m_text.toStdString();
    if (!m_tokenizeInWorker)
        text.tokens = m_tokens;
    text.target = m_target.toStdString();
    return text;
}

SecondRun Session::secondRun() const
{
    SecondRun second{modelB(), runText(), {}};
    if (m_changes.text)
        second.text.text = m_changes.text->toStdString();
    if (m_changes.target)
        second.text.target = m_changes.target->toStdString();
    if (m_changes.text || !m_changes.model.isEmpty())
        second.text.tokens.reset(); // the worker's to find
    second.interventions = [changes = m_changes](const SecondRunContext& context) {
        return interventionsOf(changes, context);
    };
    return second;
}

bool Session::secondModelIsReady() const
{
    return m_changes.model.isEmpty() || m_secondModel.model != nullptr;
}

const LoadedModel& Session::modelB() const
{
    return m_changes.model.isEmpty() || !m_secondModel.model ? m_model : m_secondModel;
}

void Session::followModel(const LoadedModel& model)
{
    const bool isSameKind = m_model.model && m_model.tokenizer == model.tokenizer &&
                            m_model.model->config() == model.model->config();
    if (!isSameKind)
        return adoptModel(model);
    if (m_model.model == model.model)
        return;
    if (isComputing()) {
        m_nextModel = model;
        return;
    }
    m_model = model;
    m_audit.adopt(model, nullptr);
    emit weightsChanged();
    emit auditChanged();
    post();
}

void Session::askFor(const QObject* who, std::vector<std::string> globs)
{
    if (m_wishes.count(who) == 0)
        connect(who, &QObject::destroyed, this, [this, who] { m_wishes.erase(who); });
    std::vector<std::string>& wish = m_wishes[who];
    if (wish == globs)
        return;
    wish = std::move(globs);
    post();
}

Looking Session::looking() const
{
    Looking looking;
    looking.modelA = m_model;
    looking.modelB = modelB();
    looking.a = m_result.a;
    looking.b = m_result.b;
    looking.thumbnailsA = m_result.thumbnailsA;
    looking.thumbnailsB = m_result.thumbnailsB;
    looking.thumbnailsDifference = m_result.thumbnailsDifference;
    looking.changes = m_changes;
    looking.selection = m_selection;
    looking.shown = m_result.b ? m_shownRun : Run::A;
    looking.colourMap = m_colourMap;
    looking.display = m_display;
    looking.stale = m_stale;
    return looking;
}

void Session::setDisplay(const TokenDisplay& display)
{
    if (display == m_display)
        return;
    m_display = display;
    emit displayChanged();
}

void Session::accept(const ForwardResult& result)
{
    if (result.ticket < m_firstTicket || result.ticket < m_result.ticket)
        return;
    m_result = result;
    answered(result.ticket);
    if (m_tokenizeInWorker && result.ticket == m_ticket) {
        m_tokens = result.a->tokens();
        emit tokensChanged();
    }
    m_audit.check(result.a);
    emit traceChanged();
    if (!result.problem.isEmpty())
        emit errorRaised(result.problem);
}

void Session::cancelComputing()
{
    m_worker->cancel();
}

void Session::setPatternBudget(std::size_t bytes)
{
    m_patternBudget = bytes;
    post();
}

void Session::advance(quint64 ticket, double fraction)
{
    if (ticket < m_firstTicket)
        return;
    m_computedShare = fraction;
    emit computingAdvanced();
}

void Session::refuse(quint64 ticket, const QString& sentence)
{
    if (ticket < m_firstTicket)
        return;
    answered(ticket);
    emit errorRaised(sentence);
}

void Session::answered(quint64 ticket)
{
    m_answered = std::max(m_answered, ticket);
    m_computedShare = 0.0;
    emit computingAdvanced();
    if (ticket == m_ticket) {
        m_staleTimer.stop();
        setStale(false);
        if (m_nextModel.model) // when those who wait for this answer have had it
            QMetaObject::invokeMethod(
                this,
                [this] {
                    if (m_nextModel.model && !isComputing())
                        followModel(std::exchange(m_nextModel, {}));
                },
                Qt::QueuedConnection);
    } else {
        m_staleTimer.start();
    }
}

void Session::setStale(bool stale)
{
    if (stale == m_stale)
        return;
    m_stale = stale;
    emit busyChanged();
}

const TracePtr& Session::shownTrace() const
{
    return m_shownRun != Run::A && m_result.b ? m_result.b : m_result.a;
}

TokenPair Session::pair() const
{
    return shownTrace() ? resolve(m_selection, *shownTrace()) : TokenPair{};
}

} // namespace headscope::ui
