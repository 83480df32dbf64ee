#pragma once

#include "ui/pages/flow/flow_content.h"

#include <QWidget>

namespace headscope::ui {

class BarsWidget;
class TextLabel;

/// The column beside the graph: what is pinned and where it comes from, and which heads carry the
/// chosen edge.
class FlowSidePanel : public QWidget
{
    Q_OBJECT

public:
    explicit FlowSidePanel(QWidget* parent = nullptr);

    void showPaths(const FlowGraphContent& graph);

    /// `heads`: of the graph's edge, where one is chosen.
    void showHeads(const FlowGraphContent& graph, const FlowEdgeHeads& heads, FlowMode mode);

signals:
    void sourceChosen(int token); ///< An input token.
    void headChosen(int head);    ///< Of the edge's layer.

private:
    std::vector<Bar> takeSources(const FlowGraphContent& graph);
    void showTitle(const FlowGraphContent& graph);
    QString scaleText(bool isSigned) const;
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
