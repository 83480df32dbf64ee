#pragma once

#include "ui/pages/causal/causal_choice.h"
#include "ui/pages/causal/causal_results.h"
#include "ui/workers/forward/head_scorer.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// Runs one causal test at a time on a session's model and text, and keeps the last results. The
/// head scores that effects are compared with are kept up to date alongside.
class CausalMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit CausalMeasurement(Session& session, QObject* parent = nullptr);

    const CausalChoice& choice() const { return m_choice; }

    const CausalResults& results() const { return m_results; }

    void choose(const CausalChoice& choice); ///< Sets another test; clears an earlier failure.
    void show(const CausalChoice& choice);   ///< Same test, shown in another way.
    bool freeCell();                         ///< Returns false when no cell of a patch is selected.
    void limitStep(int steps);               ///< Emits no signal.
    void restore(const CausalChoice& choice, const CausalResults& results); ///< Emits no signal.

    /// Results for the current view; null while still to be computed.
    const AblationSweep* sweep() const;
    const PatchGrid* grid() const;
    const FactPath* path() const;

    bool isKnown() const { return sweep() || grid() || path(); }

    bool isRunning() const { return m_worker.isRunning(); }

    bool isPossible() const { return !keyNow().isEmpty(); }

    double progress() const { return m_progress; } ///< Completed fraction.

    /// Error of the last test; empty otherwise.
    const QString& failure() const { return m_failure; }

    /// Scores of the ablated heads: those of the stack that predicts.
    HeadScoreTable scores() const;

    void start();        ///< Computes the current section unless its result is available.
    void startIfQuick(); ///< Same, only where about a second is enough.
    void cancel();

    /// Follows the session's view: stops, and drops results that no longer apply.
    void follow(bool isOtherModel);

signals:
    void chosen(); ///< Emitted by choose().
    void changed();
    void progressed();

private:
    QByteArray keyNow() const; ///< Key of the current view; empty where nothing can be computed.
    bool holds(const QByteArray& key, double before) const;
    bool isQuick(const ViewSnapshot& view) const;
    void adopt(const CausalResult& result);

    Session& m_session;
    CausalChoice m_choice;
    CausalResults m_results;
    QByteArray m_wanted; ///< Key of the computation in progress.
    QByteArray m_tried;  ///< Key of the last computation started.
    QString m_failure;   ///< Error of m_tried.
    double m_progress = 0.0;
    TracePtr m_scoring;
    HeadScoreTables m_scores;
    HeadScorer m_scorer;
    CausalWorker m_worker;
};

} // namespace headscope::ui
