#pragma once

#include "ui/pages/runs/runs_content.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"
#include "ui/session/runs/run_shelf.h"

class QLineEdit;

namespace headscope::ui {

class EmptyState;
class FactTable;
class LineChart;
class RunCard;
class RunCurvesPanel;
class RunsFilter;

/// The runs on disk, also those that another process writes: a table, their curves in one chart,
/// and what can be done with one of them.
class RunsPage : public Page
{
    Q_OBJECT

public:
    explicit RunsPage(Session& session, QWidget* parent = nullptr);
    ~RunsPage() override;

    static PageDescriptor descriptor();

    RunShelf& shelf() { return m_shelf; }

    void addFolder(const QString& folder);
    void showRun(const QString& path); ///< opens its folder too, and chooses it

    FactTable& table() { return *m_table; }

    LineChart& chart();

    RunCard& card() { return *m_card; }

    QLineEdit& filter();

    Figure figure() const override;
    void focusMain() override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    QString noNumberWords() const override;

    MaybeNumber numberAt(std::optional<QPoint>) const override { return std::nullopt; }

    bool isSettled() const override { return m_shelf.isSettled(); }

    bool wantsInspector() const override { return false; }

    bool escape() override; ///< clears the filter

signals:
    void openWanted(const QString& path);              ///< on the page of training
    void resumeWanted(const QString& path);            ///< and goes on with it
    void forkWanted(const QString& path, qint64 step); ///< a new run from that moment
    void foldersChanged(const QStringList& folders);   ///< by the person

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
    QString chosenPath() const; ///< the current run of the card; "" for none or several

    RunsOptions m_options;
    RunShelf m_shelf;
    QString m_wanted; ///< to be chosen as soon as it is listed
    RunsFilter* m_filter;
    FactTable* m_table;
    RunCurvesPanel* m_curves;
    RunCard* m_card;
    EmptyState* m_empty;
};

} // namespace headscope::ui
