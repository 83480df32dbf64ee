#pragma once

#include "ui/widgets/flow/flow_layout.h"

#include <QImage>
#include <QPainter>

#include <array>
#include <cstddef>
#include <vector>

namespace headscope::ui {

/// Edges of a flow graph as lines: those of one sign and similar weight share width, colour and
/// opacity; larger ones are on top.
class FlowLines
{
public:
    /// Prepares the edges that touch `exposed`.
    FlowLines(const FlowLayout& layout, const std::vector<FlowEdge>& drawn, QRectF exposed);

    static double width(double fraction); ///< Width in logical pixels.

    void paint(QPainter& painter, const QColor& positive, const QColor& negative) const;

    /// Paints into `image`, whose upper left corner is that of `exposed`. Much faster than Qt's
    /// rasteriser for wide antialiased lines.
    void paint(QImage& image, const QColor& positive, const QColor& negative) const;

private:
    static constexpr std::size_t kSteps = 12;
    using Steps = std::array<std::vector<QLineF>, kSteps>;

    template<class PaintStep>
    void eachStep(const QColor& positive, const QColor& negative, PaintStep paintStep) const;

    QRectF m_exposed;
    Steps m_positive;
    Steps m_negative;
};

} // namespace headscope::ui
