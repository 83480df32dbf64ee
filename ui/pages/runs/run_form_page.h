#pragma once

#include "ui/session/runs/run_draft.h"
#include "ui/pages/shared/page.h"
#include "ui/workers/training/run_meter.h"

#include <QTimer>

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace headscope::ui {

class ChoiceBox;
class LineChart;
class SettingRow;
class TextLabel;

/// A run that is about to be started: a task or a text of one's own, every setting, and what it
/// will take.
class RunFormPage : public Page
{
    Q_OBJECT

public:
    explicit RunFormPage(Session& session, QWidget* parent = nullptr);
    ~RunFormPage() override;

    RunDraft& draft() { return m_draft; }

    const RunEstimate& estimate() const { return m_estimate; }

    void chooseTask(const QString& name); ///< of the catalogue; an unknown one changes nothing
    void useText(const QString& path);    ///< the person's own
    void useConfig(const QString& path);  ///< a file of `headscope train`
    bool canStart() const;
    void start();

    SettingRow* row(const QString& key) const; ///< null before the page was shown once

    QLineEdit& search() { return *m_search; }

    QPushButton& startButton() { return *m_start; }

    ChoiceBox& tasks() { return *m_tasks; }

    LineChart& schedule() { return *m_schedule; }

    QString problem() const; ///< why it cannot be started: one sentence, or ""

    Figure figure() const override;
    void focusMain() override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    QString noNumberWords() const override;

    MaybeNumber numberAt(std::optional<QPoint>) const override { return std::nullopt; }

    bool isSettled() const override { return m_estimate.isComplete || !m_draft.isValid(); }

    bool wantsInspector() const override { return false; }

    bool escape() override; ///< clears the search

signals:
    /// In a new folder of this name; the probe is a text to watch.
    void startWanted(const headscope::TrainingConfig& config, const QString& name,
                     const headscope::ui::RunText& probe);

protected:
    void refresh(ChangeSet changes) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QLayout* makeTop();
    QLayout* makeTask();
    QWidget* makeSettings();
    QWidget* makeSide();
    void makeRows();
    void addGroup(RunField::Group group);
    void connectMeter();
    void attempt(const std::function<void()>& action);
    void chooseTextFile();
    void openConfigFile();
    void saveConfigFile();
    void takeDraft();
    void refreshRows();
    void refreshShown();
    void refreshTask();
    void refreshEstimate();
    void refreshStart();
    const CatalogueTask* task() const;
    QString runName() const;

    struct GroupRows
    {
        TextLabel* title = nullptr;
        std::vector<std::pair<const RunField*, SettingRow*>> rows;
    };

    RunDraft m_draft;
    RunMeter m_meter;
    RunEstimate m_estimate;
    QTimer m_pause;
    QString m_fileProblem; ///< of the last file that was offered
    std::vector<GroupRows> m_groups;
    bool m_showsAll = false;
    QPushButton* m_start;
    QLineEdit* m_name;
    ChoiceBox* m_tasks;
    QPushButton* m_textFile;
    QPushButton* m_open;
    QPushButton* m_save;
    TextLabel* m_problem;
    QLineEdit* m_search;
    TextLabel* m_found;
    QPushButton* m_all;
    QVBoxLayout* m_rows = nullptr;
    TextLabel* m_title = nullptr;
    TextLabel* m_description = nullptr;
    TextLabel* m_lookFor = nullptr;
    TextLabel* m_baseline = nullptr;
    QPushButton* m_measure = nullptr;
    TextLabel* m_parameters = nullptr;
    TextLabel* m_memory = nullptr;
    TextLabel* m_time = nullptr;
    TextLabel* m_timeWords = nullptr;
    LineChart* m_schedule = nullptr;
    bool m_isMeasuring = false;
};

} // namespace headscope::ui
