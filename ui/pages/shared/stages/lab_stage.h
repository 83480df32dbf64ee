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

/// One lab to work with: its controls, the pictures that it answers with, the sentence and its
/// numbers. For the page of labs and for lessons. The last pictures stand until new ones are there.
class LabStage : public QWidget
{
    Q_OBJECT

public:
    using Values = std::map<std::string, std::string>;

    explicit LabStage(Session& session, QWidget* parent = nullptr);
    ~LabStage() override;

    void setLab(const QString& name); ///< of the catalogue; with its first settings. Throws Error
    void setLab(const LabPtr& lab);   ///< null: none

    const LabPtr& lab() const { return m_lab; }

    void setSettings(const Values& values); ///< those not named stay; throws Error, changes nothing
    Values settings() const;                ///< of all controls
    void hideControls(const QStringList& names);
    void highlight(const QStringList& panelTitles); ///< a frame around them

    std::shared_ptr<const LabResult> result() const; ///< null: none for this lab yet

    bool isComputing() const { return m_wanted != m_answered; }

    /// Nothing is computed and nothing waits to be. Slow labs rest until run() is called.
    bool isSettled() const { return !isComputing() && !m_isPending; }

    bool isStale() const { return m_isStale; } ///< the controls say more than result() answers

    void run();    ///< anew, also a slow one
    void cancel(); ///< what runs

    void setNumbersShown(bool shown); ///< the row of numbers below the pictures

    const QString& problem() const { return m_problem; } ///< why the last run gave no result

    void focusMain(); ///< the keyboard goes to the first control

    Figure figure() const; ///< all panels on one sheet; without a picture until there is a result

    LabControls& controls() { return *m_controls; }

    const LabPanels& panels() const { return *m_panels; }

    LabPanels& panels() { return *m_panels; }

    QSize minimumSizeHint() const override { return {320, 240}; }

signals:
    void changed();                        ///< a control, by the person
    void finished();                       ///< result() is new
    void failed(const QString& sentence);  ///< it gave none
    void refused(const QString& sentence); ///< what was typed into a control cannot be

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void makeLayout();
    QWidget* makeRunRow();
    void followSession();
    void setControl(const QString& name, const QString& value);
    void wish(); ///< computes what the controls say, at once or when shown or asked for
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
    QString m_problem;
    quint64 m_wanted = 0;     ///< ticket of what was posted last
    quint64 m_answered = 0;   ///< of what was answered last
    bool m_isStale = false;   ///< the controls say something else than the result
    bool m_isPending = false; ///< waits to be shown
    bool m_areNumbersShown = true;
    bool m_isLate = false; ///< computes for longer than a moment
    QTimer m_late;
    LabControls* m_controls;
    QWidget* m_runRow;
    QPushButton* m_run;
    QPushButton* m_cancel;
    QProgressBar* m_bar;
    TextLabel* m_state;
    LabPanels* m_panels;
    TextLabel* m_sentence;
    NumberCards* m_numbers;
    LabWorker m_worker;
};

} // namespace headscope::ui
