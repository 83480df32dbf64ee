#pragma once

#include "ui/pages/runs/run_estimator.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"
#include "ui/session/runs/run_draft.h"

class QLineEdit;
class QPushButton;

namespace headscope::ui {

class ChoiceBox;
class DraftFiles;
class RunPreview;
class SettingRow;
class SettingRows;
class SettingsSearch;
class TextLabel;

/// Form for a new run: a task or the user's own text, every setting, and an estimate of time and
/// memory.
class RunFormPage : public Page
{
    Q_OBJECT

public:
    explicit RunFormPage(Session& session);
    ~RunFormPage() override;

    static PageDescriptor descriptor();

    const RunEstimate& estimate() const { return m_estimator.estimate(); }

    /// Selects a task of the catalogue; an unknown name changes nothing.
    void chooseTask(const QString& name);
    bool canStart() const;
    void start();

    SettingRow* row(const QString& key) const; ///< Null before the page was first shown.

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    QString whyNoNumber() const override;

    MaybeNumber numberAt(std::optional<QPoint>) const override { return std::nullopt; }

    bool isSettled() const override { return m_estimator.isSettled(); }

    bool wantsInspector() const override { return false; }

    bool escape() override; ///< Clears the search.

signals:
    /// Emitted with the name of a new folder; the probe is a text to monitor.
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
    void connectParts();
    void takeDraft();
    void refreshRows();
    void refreshShown();
    void refreshTask();
    void refreshStart();
    QString runName() const;
    QString problem() const; ///< Why it cannot be started: one sentence, or "".

    RunDraft m_draft;
    RunEstimator m_estimator;
    DraftFiles* m_files;
    QPushButton* m_start;
    QLineEdit* m_name;
    ChoiceBox* m_tasks;
    QPushButton* m_textFile;
    QPushButton* m_open;
    QPushButton* m_save;
    TextLabel* m_problem;
    SettingsSearch* m_search;
    SettingRows* m_rows;
    RunPreview* m_preview;
};

} // namespace headscope::ui
