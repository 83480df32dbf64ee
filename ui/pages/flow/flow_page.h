#pragma once

#include "ui/pages/flow/flow_content.h"
#include "ui/pages/flow/flow_measurement.h"
#include "ui/pages/shared/maps/content_source.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QLayout;
class QScrollArea;

namespace headscope::ui {

class EmptyState;
class FlowControls;
class FlowSidePanel;
class FlowWidget;

/// Tokens and layers as a graph: which token's stream contributes to which.
class FlowPage : public Page
{
    Q_OBJECT

public:
    explicit FlowPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;

    bool isSettled() const override { return !m_measurement.isWaiting() && !m_graphs.waits(); }

    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;
    bool escape() override;

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLayout* makeBody();
    void connectControls();
    void connectGraph();
    void connectSide();
    void followSelection();
    void refreshContributions();
    void refreshGraph();
    void showGraph();
    void refreshSide();
    void refreshEmptyState();
    std::optional<FlowEdge> edgeAt(std::optional<QPoint> place) const;
    std::optional<FlowEdge> currentEdge() const;
    std::optional<FlowEdge> strongestInto(std::optional<FlowNode> node) const;
    void pin(FlowNode node);
    void chooseEdge(const FlowEdge& edge);

    FlowOptions m_options;
    FlowMeasurement m_measurement;
    FlowContent m_content;
    bool m_restored = false; ///< Pins restored from a session, pending its model.
    FlowControls* m_controls;
    FlowWidget* m_graph;
    QScrollArea* m_scroll;
    FlowSidePanel* m_side = nullptr;
    EmptyState* m_empty = nullptr;

    struct GraphKey
    {
        ViewKey view;
        QJsonObject options;
        FlowMixingPtr a, b;

        friend bool operator==(const GraphKey&, const GraphKey&) = default;
    };

    ContentSource<FlowContent, GraphKey> m_graphs; ///< Destroyed first: it calls back.
};

} // namespace headscope::ui
