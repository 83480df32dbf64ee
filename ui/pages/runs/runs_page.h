#pragma once

#include "ui/pages/runs/runs_content.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"
#include "ui/session/runs/run_shelf.h"

namespace headscope::ui {

class EmptyState;
class FactTable;
class RunCard;
class RunCurvesPanel;
class RunsFilter;

/// Runs on disk, including those that another process writes: a table, their curves in one chart,
/// and actions for one of them.
class RunsPage : public Page
{
    Q_OBJECT

public:
    explicit RunsPage(Session& session);
    ~RunsPage() override;

    static PageDescriptor descriptor();

    void addFolder(const QString& folder);
    void showRun(const QString& path); ///< Opens its folder too, and selects it.

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    QString whyNoNumber() const override;

    MaybeNumber numberAt(std::optional<QPoint>) const override { return std::nullopt; }

    bool isSettled() const override { return m_shelf.isSettled(); }

    bool wantsInspector() const override { return false; }

    bool escape() override; ///< Clears the filter.

signals:
    void openWanted(const QString& path);   ///< Emitted to open a run on the training page.
    void resumeWanted(const QString& path); ///< Emitted to open and resume a run.
    /// Emitted to fork a new run from that step.
    void forkWanted(const QString& path, qint64 step);
    void foldersChanged(const QStringList& folders); ///< Emitted when the user changes the folders.

protected:
    void refresh(ChangeSet changes) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeLayout();
    void connectShelf();
    void connectFilter();
    void connectTable();
    void connectCard();
    void sortBy(int column);
    void takeChoice();
    void refreshTable();
    void refreshCard();
    void refreshEmpty();
    std::filesystem::path snapshotPath(qint64 step) const;
    QString chosenPath() const; ///< Path of the card's current run; "" for none or several.

    RunsOptions m_options;
    RunShelf m_shelf;
    QString m_wanted; ///< Path to select as soon as it is listed.
    RunsFilter* m_filter;
    FactTable* m_table;
    RunCurvesPanel* m_curves;
    RunCard* m_card;
    EmptyState* m_empty;
};

} // namespace headscope::ui
