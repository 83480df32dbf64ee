#pragma once

#include "ui/workers/forward/forward_worker.h"

#include <QTimer>

#include <map>

namespace headscope::ui {

class OpenModels;
class SessionDocument;

/// Forward passes of a document: requested sites, results, and pending jobs. Never waits for a
/// model.
class Computation : public QObject
{
    Q_OBJECT

public:
    Computation(const SessionDocument& document, const OpenModels& models,
                BackendRegistry registry);

    void post();   ///< Posts A, and B when there are changes; does nothing without a model.
    void cancel(); ///< Cancels the job; the view keeps the previous text, and a message says so.

    /// Latest result. Traces are null before the first result; B's is null without changes.
    const ForwardResult& result() const { return m_result; }

    quint64 shownTicket() const { return m_result.ticket; }

    quint64 postedTicket() const { return m_ticket; }

    bool isRunning() const { return m_ticket != m_answered; }

    double fraction() const { return m_fraction; } ///< Progress of a long job; 0 for others.

    /// True when the view is more than 150 ms behind the text.
    bool isStale() const { return m_isStale; }

    /// Requests sites beyond the views' own until `who` is destroyed or requests none.
    void askFor(const QObject* who, std::vector<std::string> globs);

    /// Limits in bytes above which patterns, and other activations, are computed on demand.
    void setBudgets(std::size_t patterns, std::size_t activations);

    const QString& device() const { return m_device; } ///< Requested device.

    void setDevice(const QString& choice);

signals:
    void finished(); ///< Emitted when result() has changed.
    void caughtUp(); ///< Emitted when the newest job was answered, with a result or an error.
    void advanced(); ///< Emitted when fraction() has changed.
    void staleChanged();
    void deviceChanged();
    void failed(const QString& sentence); ///< Emitted when a forward pass has failed.
    void deviceFailed(const QString& sentence);

private:
    friend class Session; // Session emits these signals once all parts are consistent.

    void forget(); ///< Drops results and the answers of pending jobs.
    void adopt(const ForwardResult& captured);

    SecondRun secondRun() const;
    void accept(const ForwardResult& result);
    void refuse(quint64 ticket, const QString& sentence);
    void advance(quint64 ticket, double fraction);
    void answered(quint64 ticket);
    void setStale(bool stale);

    const SessionDocument& m_document;
    const OpenModels& m_models;
    std::map<const QObject*, std::vector<std::string>> m_requests;
    QTimer m_staleTimer;
    QString m_device = "auto";
    ForwardResult m_result;
    quint64 m_ticket = 0;      // Ticket of the newest posted job.
    quint64 m_answered = 0;    // Newest ticket answered, with a result or an error.
    quint64 m_firstTicket = 1; // Older tickets belong to another model.
    bool m_isStale = false;
    double m_fraction = 0.0;
    TraceRequest m_viewRequest = TraceRequest::forWindow();
    ForwardWorker m_worker; // Declared last, so that its thread ends first.
};

} // namespace headscope::ui
