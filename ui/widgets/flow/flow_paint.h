#pragma once

#include "ui/widgets/flow/flow_layout.h"

#include <QImage>
#include <QPainter>

#include <vector>

namespace headscope::ui {

/// Everything within `exposed`, as vectors.
void paintFlow(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
               const std::vector<FlowEdge>& drawn, QRectF exposed, const Theme& theme);

/// The edges within `exposed`, on the surface; and what lies above them.
QImage flowImage(const FlowLayout& layout, const FlowGraphContent& content,
                 const std::vector<FlowEdge>& drawn, QRectF exposed, const Theme& theme,
                 double pixelRatio);
void paintFlowNodes(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
                    QRectF exposed, const Theme& theme);

} // namespace headscope::ui
