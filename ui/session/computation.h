#pragma once

#include "ui/workers/forward/forward_worker.h"

#include <QTimer>

#include <map>

namespace headscope::ui {

class OpenModels;
class SessionDocument;

/// The forward passes of a document: what was asked for, what came back and what is on its way.
/// Nothing here waits for a model.
class Computation : public QObject
{
    Q_OBJECT

public:
    Computation(const SessionDocument& document, const OpenModels& models, BackendRegistry registry,
                QObject* parent = nullptr);
    ~Computation() override;

    void post();   ///< A, and B when something is changed; nothing without a model
    void cancel(); ///< the picture stays that of the text before; a sentence says so

    /// Traces are null until the first picture; B's is null when nothing is changed.
    const ForwardResult& result() const { return m_result; }

    quint64 shownTicket() const { return m_result.ticket; }

    quint64 postedTicket() const { return m_ticket; }

    bool isRunning() const { return m_ticket != m_answered; }

    double fraction() const { return m_fraction; } ///< of a long run; 0 for others

    bool isStale() const { return m_isStale; } ///< the picture is more than 150 ms behind the text

    /// Lets traces hold more sites than the views' own, until `who` dies or asks for nothing.
    void askFor(const QObject* who, std::vector<std::string> globs);

    /// Patterns of a run that take more bytes than this are made when they are looked at.
    void setPatternBudget(std::size_t bytes);

    const QString& device() const { return m_device; } ///< what was asked for

    void setDevice(const QString& choice);

signals:
    void finished(); ///< result()
    void caughtUp(); ///< the newest job was answered, with a result or a sentence
    void advanced(); ///< fraction()
    void staleChanged();
    void deviceChanged();
    void failed(const QString& sentence);

private:
    friend class Session; // which says nothing of these before all else fits

    void forget(); ///< what was computed, and what comes of jobs until now
    void adopt(const ForwardResult& captured);

    SecondRun secondRun() const;
    void accept(const ForwardResult& result);
    void refuse(quint64 ticket, const QString& sentence);
    void advance(quint64 ticket, double fraction);
    void answered(quint64 ticket);
    void setStale(bool stale);

    const SessionDocument& m_document;
    const OpenModels& m_models;
    std::map<const QObject*, std::vector<std::string>> m_wishes;
    QTimer m_staleTimer;
    QString m_device = "auto";
    ForwardResult m_result;
    quint64 m_ticket = 0;      // newest posted
    quint64 m_answered = 0;    // newest, with a result or a sentence
    quint64 m_firstTicket = 1; // older ones belong to another model
    bool m_isStale = false;
    double m_fraction = 0.0;
    std::size_t m_patternBudget = std::size_t{512} << 20;
    ForwardWorker m_worker; // its thread ends before the rest does
};

} // namespace headscope::ui
