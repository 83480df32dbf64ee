#pragma once

#include "ui/workers/training/experiment_worker.h"

#include <QTimer>

#include <map>

namespace headscope::ui {

class Session;

/// Experiments of one folder and the selected one: the content of its files and the state of its
/// training.
class ExperimentShelf : public QObject
{
    Q_OBJECT

public:
    explicit ExperimentShelf(Session& session, QObject* parent = nullptr);

    void choose(const QString& name); ///< Selects an experiment; an unknown name changes nothing.
    void startOrCancel();

    void beginReading(); ///< Reads now, and repeatedly while an experiment runs.
    void endReading();

    const Experiment& experiment() const { return *m_experiment; }

    const ExperimentRecord& record() const { return m_record; } ///< Record of experiment().

    const ExperimentState& state() const { return m_state; } ///< State of the running experiment.

    QString problem() const; ///< Why it failed or cannot be read; empty otherwise.

    /// Finish time by name, for experiments with a result.
    const std::map<std::string, std::string>& finished() const { return m_finished; }

    /// Name of the running experiment, or "".
    const std::string& running() const { return m_worker.running(); }

    bool isRunning() const { return !running().empty(); }

    bool isThisRunning() const { return running() == m_experiment->name; }

    bool isBegun() const; ///< True with steps but without a result.

    bool isReading() const { return m_isReading; }

    /// Folder of experiment(); empty without one.
    QString variantFolder(const QString& name) const;

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
    const QString m_folder; ///< Of the results.
    const Experiment* m_experiment;
    ExperimentRecord m_record;
    ExperimentState m_state;
    QString m_error;
    std::map<std::string, std::string> m_finished;
    bool m_isReading = false;
    QTimer m_again;
    ExperimentWorker m_worker; // Last member: its threads end before the rest is destroyed.
};

} // namespace headscope::ui
