#pragma once

#include "ui/workers/training/lens_trainer.h"

#include <QWidget>

class QProgressBar;
class QPushButton;
class QSpinBox;

namespace headscope::ui {

class Session;
class TextLabel;

/// The tuned lens of a session's model: finds its file, trains one, and says where it is and how
/// good.
class LensTrainingPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LensTrainingPanel(Session& session, QWidget* parent = nullptr);

    const TunedLensPtr& tuned() const { return m_tuned; } ///< Null while there is none.

    bool isLookedUp() const; ///< tuned() is what there is for the session's model.

    bool isTraining() const { return m_trainer.isTraining(); }

    bool isBusy() const { return m_trainer.isBusy(); }

    QSpinBox& steps() const { return *m_steps; }

    QPushButton& trainButton() const { return *m_train; }

    QPushButton& cancelButton() const { return *m_cancel; }

    void followModel();                       ///< Looks for the lens of another model.
    void cancel();                            ///< Keeps nothing of the training.
    void refresh(bool showsTuned, int steps); ///< Hidden unless it is wanted or training.

signals:
    void stepsChosen(int steps);
    void lensFound();
    void lensMissed(); ///< There is no file, or training ended without one.

private:
    QWidget* makeBar();
    void connectTrainer();
    void train();
    void miss(const std::shared_ptr<const Model>& model, const QString& why);
    void adopt(const std::shared_ptr<const Model>& model, const TunedLensPtr& lens,
               const QString& path, bool isNew);
    void refreshTraining();
    QString state() const; ///< In words, beside the button.
    QString lensText() const;
    std::vector<SourceAndTarget> trainingTexts() const;

    Session& m_session;
    TunedLensPtr m_tuned;
    std::shared_ptr<const Model> m_foundFor;  ///< m_tuned was looked for, or is of this.
    std::shared_ptr<const Model> m_lookedFor; ///< The newest that was asked for.
    QString m_path;
    bool m_isNew = false; ///< Trained just now.
    QString m_note;       ///< An error, or why a file cannot be used.
    bool m_isWanted = false;
    QSpinBox* m_steps;
    QPushButton* m_train;
    QPushButton* m_cancel;
    QProgressBar* m_bar;
    TextLabel* m_state;
    LensTrainer m_trainer; // its thread ends before the rest
};

} // namespace headscope::ui
