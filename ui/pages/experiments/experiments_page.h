#pragma once

#include "ui/pages/experiments/experiment_shelf.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

namespace headscope::ui {

class ExperimentCard;
class ExperimentCharts;
class FactTable;
class TextLabel;

/// Experiments of the curriculum: broken vs. fixed variants, trained with one click and saved on
/// disk.
class ExperimentsPage : public Page
{
    Q_OBJECT

public:
    explicit ExperimentsPage(Session& session);
    ~ExperimentsPage() override;

    static PageDescriptor descriptor();

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    QString whyNoNumber() const override;

    MaybeNumber numberAt(std::optional<QPoint>) const override { return std::nullopt; }

    bool isSettled() const override { return !m_shelf.isReading(); }

    bool wantsInspector() const override { return false; }

signals:
    void runWanted(const QString& path); ///< Emitted to show a variant among the training runs.

protected:
    void refresh(ChangeSet changes) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeList();
    void makeNumbers();
    QWidget* makeFindings();
    void connectShelf();
    void refreshList();
    void refreshConclusion();
    void refreshNumbers();

    ExperimentShelf m_shelf;
    FactTable* m_list;
    ExperimentCard* m_card;
    ExperimentCharts* m_charts;
    TextLabel* m_conclusion;
    FactTable* m_numbers;
    QWidget* m_findings; ///< Conclusion and numbers; they scroll on a low page.
};

} // namespace headscope::ui
