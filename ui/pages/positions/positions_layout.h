#pragma once

#include "ui/pages/positions/positions_content.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>

#include <array>
#include <optional>

namespace headscope::ui {

/// Waves, matrix and similarity share one axis: a column per position.
class PositionsLayout
{
public:
    PositionsLayout() = default;
    PositionsLayout(QRectF area, const PositionsContent& content, const Theme& theme,
                    double pixelRatio = 1.0);

    QRectF waves() const { return m_waves; }

    QRectF upperTable() const { return m_upper; } ///< Sines, or the whole matrix.

    QRectF lowerTable() const { return m_lower; } ///< Cosines; empty for learned embeddings.

    QRectF similarity() const { return m_similarity; }

    QRectF column(int position) const; ///< Column across the whole matrix.
    double columnCentre(double position) const;
    std::optional<int> positionAt(double x) const;

    double pixelRatio() const { return m_pixelRatio; }

    double headingY(int section) const { return m_headings[static_cast<std::size_t>(section)]; }

    double left() const { return m_area.left(); }

    double right() const { return m_area.right(); }

private:
    QRectF m_area, m_waves, m_upper, m_lower, m_similarity;
    std::array<double, 3> m_headings{};
    double m_columnWidth = 1.0;
    int m_positions = 0;
    double m_pixelRatio = 1.0;
};

} // namespace headscope::ui
