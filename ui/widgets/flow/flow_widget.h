#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/flow/flow_layout.h"

namespace headscope::ui {

/// Draws a flow graph and reports the node or edge that the user selects. Placed in a scroll area,
/// as high as its tokens need. Screen readers get a table of tokens and levels.
class FlowWidget : public DrawnWidget
{
    Q_OBJECT

public:
    FlowWidget();

    /// Sets the content and keeps the cursor if possible.
    void setContent(FlowGraphContent content);

    const FlowGraphContent& content() const { return m_content; }

    const std::vector<FlowEdge>& drawn() const { return m_drawn; }

    FlowLayout layoutNow() const;
    void setCursorNode(FlowNode node);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void nodeActivated(headscope::ui::FlowNode node); ///< Emitted on a click or Enter.
    void edgeActivated(headscope::ui::FlowEdge edge); ///< Emitted on a click or E.
    void cursorMoved(QRect place);

protected:
    int itemCount() const override { return m_content.tokens() * columnCount(); }

    int columnCount() const override { return std::max(m_content.levels, 0); }

    QRectF itemRect(int item) const override;
    QString itemText(int item) const override; ///< Text of a node and the edges into it.
    QString itemToolTip(int item) const override;
    QString toolTipAt(QPointF position) const override;
    QString description() const override;
    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;
    ReadableTable readable() const override;

    void goToItem(int item) override { setCursorNode(nodeOf(item)); }

    void clickItem(int item) override;
    bool openItem(int item) override;
    bool pressKey(const QKeyEvent& event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    FlowNode nodeOf(int item) const { return {item % m_content.levels, item / m_content.levels}; }

    std::optional<int> itemOf(std::optional<FlowNode> node) const;
    /// Edge at a position; none where a node is.
    std::optional<FlowEdge> edgeAt(QPointF position) const;
    void stepEdge(int step);

    FlowGraphContent m_content;
    std::vector<FlowEdge> m_drawn;
};

} // namespace headscope::ui
