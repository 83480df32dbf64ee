#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/workers/lessons/lab_worker.h"

#include <QStringList>
#include <QTimer>
#include <QWidget>

class QProgressBar;
class QPushButton;

namespace headscope::ui {

class LabControls;
class LabPanels;
class NumberCards;
class Session;
class TextLabel;

/// Interactive lab: its controls, figures, sentence and numbers. Shared by the page of labs and
/// lessons. The last figures are kept until new ones are available.
class LabStage : public QWidget
{
    Q_OBJECT

public:
    using Values = std::map<std::string, std::string>;

    explicit LabStage(Session& session, QWidget* parent = nullptr);
    ~LabStage() override;

    /// Opens a lab of the catalogue with its initial settings. Throws Error.
    void setLab(const QString& name);
    void setLab(const LabPtr& lab); ///< Null: none.

    const LabPtr& lab() const { return m_lab; }

    /// Keeps settings that are not named; throws Error, changing nothing.
    void setSettings(const Values& values);
    Values settings() const; ///< Values of all controls.
    void hideControls(const QStringList& names);
    void highlight(const QStringList& panelTitles); ///< Draws a frame around them.

    std::shared_ptr<const LabResult> result() const; ///< Null: no result of this lab yet.

    bool isComputing() const { return m_wanted != m_answered; }

    /// True when nothing is computed or pending. Slow labs wait for run().
    bool isSettled() const { return !isComputing() && !m_isPending; }

    void run();    ///< Computes again, also for a slow lab.
    void cancel(); ///< Cancels the computation.

    void setNumbersShown(bool shown); ///< Row of numbers below the figures.

    void focusMain(); ///< Gives the focus to the first control.

    Figure figure() const; ///< All panels in one figure; empty until there is a result.

    LabPanels& panels() { return *m_panels; }

    QSize minimumSizeHint() const override { return {320, 240}; }

signals:
    void changed();                        ///< Emitted when the user changes a control.
    void finished();                       ///< Emitted when result() is new.
    void failed(const QString& sentence);  ///< Emitted when it has no result.
    void refused(const QString& sentence); ///< Emitted when the typed value is invalid.

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void makeLayout();
    QWidget* makeRunRow();
    void followSession();
    void setControl(const QString& name, const QString& value);
    void request(); ///< Computes the current settings, at once or when shown or requested.
    void post();
    void take(const LabAnswer& answer);
    void showResult();
    void showProblem(const QString& sentence);
    void refreshRun();

    Session& m_session;
    LabPtr m_lab;
    std::optional<LabSettings> m_settings;
    std::shared_ptr<const LabResult> m_result;
    LabJob m_resultOf;
    quint64 m_wanted = 0;     ///< Ticket of the newest request.
    quint64 m_answered = 0;   ///< Ticket of the newest answer.
    bool m_isStale = false;   ///< The controls differ from the result's settings.
    bool m_isPending = false; ///< Waits to be shown.
    bool m_areNumbersShown = true;
    bool m_isLate = false; ///< The computation takes longer than a moment.
    QTimer m_late;
    LabControls* m_controls;
    QWidget* m_runRow;
    QPushButton* m_run;
    QPushButton* m_cancel;
    QProgressBar* m_bar;
    TextLabel* m_state;
    LabPanels* m_panels;
    TextLabel* m_sentence; ///< Of the result, or why there is none.
    NumberCards* m_numbers;
    LabWorker m_worker;
};

} // namespace headscope::ui
