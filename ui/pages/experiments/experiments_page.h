#pragma once

#include "ui/pages/experiments/experiments_content.h"
#include "ui/pages/shared/page.h"

#include <QTimer>

class QProgressBar;
class QPushButton;
class QScrollArea;

namespace headscope::ui {

class LineChart;
class SegmentBar;
class TextLabel;

/// Experiments of the curriculum: broken beside fixed, trained by one click, kept on disk.
class ExperimentsPage : public Page
{
    Q_OBJECT

public:
    explicit ExperimentsPage(Session& session, QWidget* parent = nullptr);
    ~ExperimentsPage() override;

    void setFolder(const QString& folder); ///< where results are kept
    void choose(const QString& name);      ///< an unknown one changes nothing
    void startOrCancel();

    const Experiment& experiment() const { return *m_experiment; }

    const ExperimentRecord& record() const { return m_record; }

    FactTable& list() { return *m_list; }

    LineChart& losses() { return *m_losses; }

    LineChart& plot() { return *m_plot; }

    FactTable& numbers() { return *m_numbers; }

    TextLabel& conclusion() { return *m_conclusion; }

    QPushButton& startButton() { return *m_start; }

    bool isRunning() const { return !m_worker.running().empty(); }

    Figure figure() const override;
    void focusMain() override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    QString noNumberWords() const override;

    MaybeNumber numberAt(std::optional<QPoint>) const override { return std::nullopt; }

    bool isSettled() const override { return !m_isReading; }

    bool wantsInspector() const override { return false; }

signals:
    void runWanted(const QString& path); ///< of a variant: to be shown among the runs

protected:
    void refresh(ChangeSet changes) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeList();
    QLayout* makeTop();
    QLayout* makeCharts();
    void connectWorker();
    void read();
    bool clearAway();
    void readDays();
    void take(const ExperimentRecord& record);
    void takeProgress(const ExperimentState& state);
    void openVariant(const QString& name);
    std::filesystem::path folderOf(const Experiment& experiment) const;
    bool isThisRunning() const;
    void refreshList();
    void refreshWords();
    void refreshProgress();
    void refreshCharts();

    QString m_folder;
    const Experiment* m_experiment;
    ExperimentRecord m_record;
    ExperimentState m_state;
    QString m_error;
    std::map<std::string, std::string> m_finished; ///< by name
    bool m_isReading = false;
    bool m_training = false; ///< which loss is shown
    int m_shownPlot = 0;
    QTimer m_again;
    FactTable* m_list;
    TextLabel* m_title;
    TextLabel* m_description;
    TextLabel* m_facts;
    QPushButton* m_start;
    QProgressBar* m_bar;
    TextLabel* m_progress;
    SegmentBar* m_which;
    SegmentBar* m_plots;
    LineChart* m_losses;
    LineChart* m_plot;
    QWidget* m_plotBox = nullptr;
    TextLabel* m_conclusion;
    FactTable* m_numbers;
    ExperimentWorker m_worker;
};

} // namespace headscope::ui
