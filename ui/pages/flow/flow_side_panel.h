#pragma once

#include "ui/pages/flow/flow_content.h"

#include <QWidget>

namespace headscope::ui {

class BarsWidget;
class TextLabel;

/// Side column of the graph: the pinned node with its sources, and the heads that carry the
/// selected edge.
class FlowSidePanel : public QWidget
{
    Q_OBJECT

public:
    explicit FlowSidePanel(QWidget* parent = nullptr);

    void showPaths(const FlowContent& content);

    /// Updates the column; `heads` are those of the selected edge, if any.
    void showHeads(const FlowGraphContent& graph, const FlowEdgeHeads& heads, FlowMode mode);

signals:
    void sourceChosen(int token); ///< Emitted for an input token.
    void headChosen(int head);    ///< Emitted for a head of the edge's layer.

private:
    std::vector<Bar> takeSources(const FlowGraphContent& graph);
    void showTitle(const FlowContent& content);
    QString scaleText(const FlowContent& content) const;
    QString edgeText(const FlowGraphContent& graph, FlowMode mode) const;
    std::size_t shownHeads() const;

    FlowEdgeHeads m_heads;
    std::vector<int> m_sources; ///< Tokens of the bars.
    TextLabel* m_title;
    TextLabel* m_text;
    TextLabel* m_sourcesTitle;
    BarsWidget* m_sourceBars;
    TextLabel* m_edgeTitle;
    TextLabel* m_edgeText;
    BarsWidget* m_headBars;
};

} // namespace headscope::ui
