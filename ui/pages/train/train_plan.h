#pragma once

#include "core/experiments/task_catalogue.h"
#include "ui/workers/forward/forward_job.h"

#include <QWidget>

class QPushButton;
class QSpinBox;

namespace headscope::ui {

class ChoiceBox;

/// Short form for a new run: a task of the catalogue, its seed and its number of steps.
class TrainPlan : public QWidget
{
    Q_OBJECT

public:
    explicit TrainPlan(QWidget* parent = nullptr);

    const CatalogueTask& task() const;
    TrainingConfig config() const;
    QString name() const; ///< Name of the run's folder.
    RunText probe() const;
    void chooseTask(const QString& name); ///< Keeps the current task when the name is unknown.
    void setCancellable(bool on);         ///< Whether there is a run to return to.

    QPushButton* startButton() const { return m_start; }

signals:
    void changed();
    void startWanted();
    void settingsWanted(); ///< Emitted to open all settings on their own page.
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
    std::string m_textPath; ///< Text file, for a task that needs one.
};

} // namespace headscope::ui
