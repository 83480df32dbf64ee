#pragma once

#include "ui/widgets/flow/flow_layout.h"
#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QWidget>

namespace headscope::ui {

/// Draws a flow graph and reports the node or edge that the person means. Stands in a scroll area:
/// as high as its tokens need. Screen readers find a table of tokens and levels.
class FlowWidget : public QWidget
{
    Q_OBJECT

public:
    explicit FlowWidget(QWidget* parent = nullptr);

    void setContent(FlowGraphContent content); ///< keeps the cursor where it can

    const FlowGraphContent& content() const { return m_content; }

    const std::vector<FlowEdge>& drawn() const { return m_drawn; }

    FlowLayout layoutNow() const;
    void setCursorNode(FlowNode node);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void nodeActivated(headscope::ui::FlowNode node); ///< click, Enter
    void edgeActivated(headscope::ui::FlowEdge edge); ///< click, E
    void cursorMoved(QRect place);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void describe();
    QRectF cellRect(HeatmapCell cell) const; ///< around the node of a token (row) and level
    void stepEdge(int step);
    bool moveCursor(int key);

    FlowGraphContent m_content;
    std::vector<FlowEdge> m_drawn;
};

} // namespace headscope::ui
