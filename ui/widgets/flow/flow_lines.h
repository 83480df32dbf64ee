#pragma once

#include "ui/widgets/flow/flow_layout.h"

#include <QImage>
#include <QPainter>

#include <array>
#include <cstddef>
#include <vector>

namespace headscope::ui {

/// The edges of a flow graph as lines: those of one sign and nearly one size share width, colour
/// and opacity, the larger lie above.
class FlowLines
{
public:
    /// Those that touch `exposed`.
    FlowLines(const FlowLayout& layout, const std::vector<FlowEdge>& drawn, QRectF exposed);

    static double width(double share); ///< logical pixels

    void paint(QPainter& painter, const QColor& positive, const QColor& negative) const;

    /// The same in pixels of `image`, whose upper left corner is `exposed`'s. Qt's own rasteriser
    /// takes many times as long for wide smooth lines.
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
