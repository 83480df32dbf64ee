#pragma once

#include "ui/pages/flow/flow_content.h"
#include "ui/pages/shared/page.h"
#include "ui/workers/tasks/task_thread.h"

#include <atomic>
#include <stop_token>

class QCheckBox;
class QLayout;
class QScrollArea;

namespace headscope::ui {

class BarsWidget;
class EmptyState;
class FlowWidget;
class NamedSlider;
class SegmentBar;
class TextLabel;

/// Tokens and layers as a graph: which token's stream flows into which.
class FlowPage : public Page
{
    Q_OBJECT

public:
    explicit FlowPage(Session& session, QWidget* parent = nullptr);
    ~FlowPage() override;

    Figure figure() const override;
    void focusMain() override;

    bool isSettled() const override { return !m_waits; }

    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString noNumberWords() const override;
    bool escape() override;

    bool wantsInspector() const override { return false; }

    const FlowContent& content() const { return m_content; }

    FlowWidget& graph() const { return *m_graph; }

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// What shares depend on; equal keys have equal shares.
    struct Source
    {
        TracePtr a, b;
        Run shown = Run::A;
        Stack stack = Stack::Blocks;
        FlowMode mode = FlowMode::Rollout;
        ContributionMeasure measure = ContributionMeasure::Length;

        friend bool operator==(const Source&, const Source&) = default;
    };

    QLayout* makeTopRow();
    QLayout* makeOptionsRow();
    QWidget* makeSide();
    void connectWidgets();
    void followSelection();
    void refreshControls();
    void refreshShares();
    void follow(const Looking& looking, const FlowOptions& options, quint64 generation,
                const std::stop_token& stop);
    void adopt(const FlowMixings& mixings);
    void refreshGraph();
    void refreshSide();
    void refreshHeads();
    void refreshEmptyState();
    std::optional<FlowEdge> edgeAt(std::optional<QPoint> place) const;
    void pin(FlowNode node);
    void chooseEdge(const FlowEdge& edge);

    FlowOptions m_options;
    Source m_source;
    Looking m_computed; ///< what m_mixings were made from
    FlowMixings m_mixings;
    FlowContent m_content;
    FlowEdgeHeads m_heads;
    std::vector<int> m_sources; ///< tokens of the bars
    bool m_restored = false;    ///< a session's pins, which its model may follow
    bool m_waits = false;       ///< for shares that another thread computes

    SegmentBar* m_part;
    SegmentBar* m_run;
    SegmentBar* m_mode;
    SegmentBar* m_measure;
    NamedSlider* m_threshold;
    QCheckBox* m_renormalise;
    TextLabel* m_count;
    QScrollArea* m_scroll;
    FlowWidget* m_graph;
    TextLabel* m_title;
    TextLabel* m_text;
    TextLabel* m_sourcesTitle;
    BarsWidget* m_sourceBars;
    TextLabel* m_edgeTitle;
    TextLabel* m_edgeText;
    BarsWidget* m_headBars;
    EmptyState* m_empty;
    std::stop_source m_stop;
    std::atomic<quint64> m_generation = 0;
    TaskThread m_thread; // ends first: it sends to this
};

} // namespace headscope::ui
