#pragma once

#include "ui/workers/training/lens_trainer.h"

#include <QWidget>

class QProgressBar;
class QPushButton;
class QSpinBox;

namespace headscope::ui {

class Session;
class TextLabel;

/// Tuned lens of a session's model: finds its file, trains one, and reports its path and quality.
class LensTrainingPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LensTrainingPanel(Session& session, QWidget* parent = nullptr);

    const TunedLensPtr& tuned() const { return m_tuned; } ///< Null while there is none.

    bool isLookedUp() const; ///< True when tuned() is valid for the session's model.

    bool isTraining() const { return m_trainer.isTraining(); }

    bool isBusy() const { return m_trainer.isBusy(); }

    void followModel();                       ///< Looks for the lens of another model.
    void cancel();                            ///< Discards the training.
    void refresh(bool showsTuned, int steps); ///< Hidden unless needed or training.

signals:
    void stepsChosen(int steps);
    void lensFound();
    void lensMissed(); ///< Emitted without a file, or when training ended without one.

private:
    QWidget* makeBar();
    void connectTrainer();
    void train();
    void miss(const std::shared_ptr<const Model>& model, const QString& why);
    void adopt(const std::shared_ptr<const Model>& model, const TunedLensPtr& lens,
               const QString& path, bool isNew);
    void refreshTraining();
    QString state() const; ///< Status text beside the button.
    QString lensText() const;
    std::vector<SourceAndTarget> trainingTexts() const;

    Session& m_session;
    TunedLensPtr m_tuned;
    std::shared_ptr<const Model> m_foundFor;  ///< Model for which m_tuned was looked up.
    std::shared_ptr<const Model> m_lookedFor; ///< Model of the newest look-up.
    QString m_path;
    bool m_isNew = false; ///< Just trained.
    QString m_note;       ///< An error, or why a file cannot be used.
    bool m_isWanted = false;
    QSpinBox* m_steps;
    QPushButton* m_train;
    QPushButton* m_cancel;
    QProgressBar* m_bar;
    TextLabel* m_state;
    LensTrainer m_trainer; // Destroyed first: its thread ends before the rest.
};

} // namespace headscope::ui
