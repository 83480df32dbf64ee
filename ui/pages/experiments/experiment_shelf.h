#pragma once

#include "ui/workers/training/experiment_worker.h"

#include <QTimer>

#include <map>

namespace headscope::ui {

class Session;

/// The experiments of one folder and the chosen one: what its files say, and how its training
/// stands.
class ExperimentShelf : public QObject
{
    Q_OBJECT

public:
    explicit ExperimentShelf(Session& session, QObject* parent = nullptr);

    void setFolder(const QString& folder); ///< where results are kept
    void choose(const QString& name);      ///< an unknown one changes nothing
    void startOrCancel();

    void beginReading(); ///< now, and again and again while an experiment runs
    void endReading();

    const Experiment& experiment() const { return *m_experiment; }

    const ExperimentRecord& record() const { return m_record; } ///< of experiment()

    const ExperimentState& state() const { return m_state; } ///< of the running one

    QString problem() const; ///< why it failed or cannot be read; empty

    /// Name to day and time of those that have a result.
    const std::map<std::string, std::string>& finished() const { return m_finished; }

    const std::string& running() const { return m_worker.running(); } ///< its name, or ""

    bool isRunning() const { return !running().empty(); }

    bool isThisRunning() const { return running() == m_experiment->name; }

    bool isBegun() const; ///< there are steps, and no result yet

    bool isReading() const { return m_isReading; }

    QString variantFolder(const QString& name) const; ///< of experiment(); empty without such one

signals:
    void chosen();
    void changed();
    void progressed();

private:
    std::filesystem::path folderOf(const Experiment& experiment) const;
    void start();
    bool clearAway();
    void read();
    void readDays();
    void take(const ExperimentRecord& record);
    void end(const QString& sentence);

    Session& m_session;
    QString m_folder;
    const Experiment* m_experiment;
    ExperimentRecord m_record;
    ExperimentState m_state;
    QString m_error;
    std::map<std::string, std::string> m_finished;
    bool m_isReading = false;
    QTimer m_again;
    ExperimentWorker m_worker; // last: its threads end before the rest does
};

} // namespace headscope::ui
