#pragma once

#include "ui/pages/positions/positions_model.h"
#include "ui/widgets/heatmap/heatmap.h"

namespace headscope::ui {

enum class PositionScheme { Sinusoidal, Learned, Rope, Alibi, Buckets, None };

/// What changes scores by the distance instead of adding a vector to each token.
inline bool isRelative(PositionScheme scheme)
{
    return scheme == PositionScheme::Rope || scheme == PositionScheme::Alibi ||
           scheme == PositionScheme::Buckets;
}

/// Everything that the positions page draws.
struct PositionsContent
{
    PositionScheme scheme = PositionScheme::Sinusoidal;
    PositionTable table;
    double base = 10000.0; ///< N of a sinusoidal table
    int position = 12;     ///< p
    int offset = 5;        ///< k

    bool hasOffsetPosition() const { return position + offset < table.positions; }
};

/// Waves, table and similarity share one axis: a column per position.
class PositionsLayout
{
public:
    PositionsLayout() = default;
    PositionsLayout(QRectF area, const PositionsContent& content, const Theme& theme,
                    double pixelRatio = 1.0);

    QRectF waves() const { return m_waves; }

    QRectF upperTable() const { return m_upper; } ///< sines, or the whole table

    QRectF lowerTable() const { return m_lower; } ///< cosines; empty for a learned table

    QRectF similarity() const { return m_similarity; }

    QRectF column(int position) const; ///< over the whole table
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

void paintPositions(QPainter& painter, const PositionsLayout& layout,
                    const PositionsContent& content, const Theme& theme);

/// At most six pairs of dimensions as clock hands, in two columns.
void paintClocks(QPainter& painter, QRectF area, const PositionsContent& content,
                 const Theme& theme);

QString rotationErrorText(double error); ///< "7.0·10⁻¹⁵"

/// Bold words, then what they are about in a lighter tone; returns where the text ends.
double paintSectionHeading(QPainter& painter, QPointF topLeft, const QString& title,
                           const QString& rest, const Theme& theme);

} // namespace headscope::ui
