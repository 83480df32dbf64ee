#pragma once

#include "ui/widgets/flow/flow_layout.h"

#include <QImage>
#include <QPainter>

#include <vector>

namespace headscope::ui {

/// Paints everything within `exposed` as vectors.
void paintFlow(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
               const std::vector<FlowEdge>& drawn, QRectF exposed, const Theme& theme);

/// Image of the edges within `exposed` on the surface; labels and nodes are painted over it.
QImage flowImage(const FlowLayout& layout, const FlowGraphContent& content,
                 const std::vector<FlowEdge>& drawn, QRectF exposed, const Theme& theme,
                 double pixelRatio);
void paintFlowNodes(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
                    QRectF exposed, const Theme& theme);

} // namespace headscope::ui
