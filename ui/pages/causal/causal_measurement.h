#pragma once

#include "ui/pages/causal/causal_choice.h"
#include "ui/pages/causal/causal_results.h"
#include "ui/workers/forward/head_scorer.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// What is to be tested, and what is known of it: runs one causal test at a time on a session's
/// model and text and keeps the last results. Scores of the heads, which effects are compared with,
/// are kept up to date beside that.
class CausalMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit CausalMeasurement(Session& session, QObject* parent = nullptr);

    const CausalChoice& choice() const { return m_choice; }

    const CausalResults& results() const { return m_results; }

    void choose(const CausalChoice& choice); ///< Another test: an earlier failure is forgotten.
    void show(const CausalChoice& choice);   ///< The same test, shown in another way.
    bool freeCell();                         ///< False when no cell of a patch is chosen.
    void limitStep(int steps);               ///< Without a signal.
    void restore(const CausalChoice& choice, const CausalResults& results); ///< Without a signal.

    /// Results of what is shown now; null where they are still to be computed.
    const AblationSweep* sweep() const;
    const PatchGrid* grid() const;
    const FactPath* path() const;

    bool isKnown() const { return sweep() || grid() || path(); }

    bool isRunning() const { return m_worker.isRunning(); }

    bool isPossible() const { return !keyNow().isEmpty(); }

    double progress() const { return m_progress; } ///< Fraction that is done.

    const QString& failure() const { return m_failure; } ///< Of the last test, or empty.

    /// Scores of the heads that are switched off: those of the stack that predicts.
    HeadScoreTable scores() const;

    void start();        ///< Computes what the present section shows, unless it is there.
    void startIfQuick(); ///< The same where about a second is enough.
    void cancel();

    /// The session shows something else: stops and forgets what no longer belongs to it.
    void follow(bool isOtherModel);

signals:
    void chosen(); ///< By choose().
    void changed();
    void progressed();

private:
    QByteArray keyNow() const; ///< Empty where nothing can be computed.
    bool holds(const QByteArray& key, double before) const;
    bool isQuick(const Looking& looking) const;
    void adopt(const CausalResult& result);

    Session& m_session;
    CausalChoice m_choice;
    CausalResults m_results;
    QByteArray m_wanted; ///< Key of what is being computed.
    QByteArray m_tried;  ///< Key of the last that was begun.
    QString m_failure;   ///< Of m_tried.
    double m_progress = 0.0;
    TracePtr m_scoring;
    HeadScoreTables m_scores;
    HeadScorer m_scorer;
    CausalWorker m_worker;
};

} // namespace headscope::ui
