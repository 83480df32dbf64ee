#pragma once

#include "ui/pages/causal/causal_measurement.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QStackedWidget;

namespace headscope::ui {

class CausalCards;
class CausalControls;
class RestoredPanel;
class SweepPanel;

/// Causal tests on the typed text: head ablation, activation patching, and causal tracing.
class CausalPage : public Page
{
    Q_OBJECT

public:
    explicit CausalPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    void focusMain() override;
    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;
    bool escape() override; ///< Stops the computation, then clears the selected cell.

    bool wantsInspector() const override { return false; }

    /// Computes the current section unless its result is available.
    void start() { m_measurement.start(); }

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const CausalChoice& choice() const { return m_measurement.choice(); }

    const CausalResults& results() const { return m_measurement.results(); }

    void connectMeasurement();
    void connectPanels();
    void startIfQuick();
    void activate(GridCell head);
    void refreshAll();
    void refreshEmptyState();
    bool offersTests() const;
    EmptyText whyUnknown() const;

    CausalMeasurement m_measurement;
    CausalControls* m_controls;
    QStackedWidget* m_stack;
    SweepPanel* m_sweep;
    RestoredPanel* m_restored;
    CausalCards* m_cards;
    EmptyState* m_empty;
};

} // namespace headscope::ui
