#pragma once

#include "core/experiments/task_catalogue.h"
#include "ui/workers/forward/forward_job.h"

#include <QWidget>

class QPushButton;
class QSpinBox;

namespace headscope::ui {

class ChoiceBox;

/// A run that is about to be started: a task of the catalogue, its seed and its length.
class TrainPlan : public QWidget
{
    Q_OBJECT

public:
    explicit TrainPlan(QWidget* parent = nullptr);

    const CatalogueTask& task() const;
    TrainingConfig config() const;
    QString name() const; ///< of the run's folder
    RunText probe() const;
    void chooseTask(const QString& name); ///< keeps what is chosen when there is no such task
    void setCancellable(bool on);         ///< there is a run to go back to

    QPushButton* startButton() const { return m_start; }

signals:
    void changed();
    void startWanted();
    void settingsWanted(); ///< all of them, on their own page
    void cancelled();

private:
    void adoptTask();
    void chooseText();

    ChoiceBox* m_task;
    QSpinBox* m_seed;
    QSpinBox* m_steps;
    QPushButton* m_text;
    QPushButton* m_start;
    QPushButton* m_cancel;
    std::string m_textPath; ///< of a task that needs one
};

} // namespace headscope::ui
