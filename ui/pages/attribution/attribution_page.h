#pragma once

#include "ui/pages/attribution/attribution_content.h"
#include "ui/pages/attribution/attribution_measurement.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QLayout;

namespace headscope::ui {

class AttributionControls;
class AttributionInputsPanel;
class AttributionMapPanel;
class BarsWidget;
class EmptyState;
class HeatmapWidget;
class TextLabel;

/// Direct logit attribution: contributions of embeddings, heads and MLPs that sum to a logit.
class AttributionPage : public Page
{
    Q_OBJECT

public:
    explicit AttributionPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;
    bool escape() override; ///< Clears the contrast, then the selected head.

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;

private:
    HeatmapWidget& map() const;
    QString sumText() const; ///< Text of the sum of the contributions.
    QLayout* makeColumns();
    void connectWidgets();
    void refreshAll();
    void refreshContent();
    void refreshBars();
    void refreshSources();
    void refreshEmptyState();
    void chooseBar(int index);
    void chooseHead(const LogitHead& head);
    void openHead();

    AttributionMeasurement m_measurement;
    AttributionContent m_content;
    TextLabel* m_title;
    AttributionControls* m_controls;
    TextLabel* m_sum;
    BarsWidget* m_bars;
    AttributionMapPanel* m_map = nullptr;
    TextLabel* m_sourcesTitle;
    BarsWidget* m_sources;
    AttributionInputsPanel* m_inputs;
    EmptyState* m_empty = nullptr;
};

} // namespace headscope::ui
