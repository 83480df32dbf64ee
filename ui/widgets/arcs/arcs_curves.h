#pragma once

#include "ui/widgets/arcs/arcs.h"

#include <QPainterPath>

namespace headscope::ui {

/// All heads of one token pair as one curve, as they share its geometry.
struct MergedArc
{
    int query = 0;
    int key = 0;
    float red = 0.0F; ///< Density times red, 0 to 255; likewise green and blue.
    float green = 0.0F;
    float blue = 0.0F;
    float density = 0.0F; ///< Optical density: -ln of the transmittance.

    QColor colour() const; ///< Opaque colour of the curve.
    double opacity() const;
};

/// Opacity of one unfocused link: 0.10 + 0.55 x weight.
double restOpacity(float weight);

/// One curve per pair with a link. Densities are divided by the square root of the number of heads,
/// so that many heads do not saturate and one strong head among twelve is still visible.
std::vector<MergedArc> mergedArcs(const ArcsContent& content, const Theme& theme);

/// Curve of the focused token: one strong link, offset from those of other heads, or all weaker
/// links to one partner.
struct FocusArc
{
    int query = 0;
    int key = 0;
    double offset = 0.0; ///< Offset of both ends in logical pixels.
    double width = 1.0;  ///< Width in logical pixels.
    /// Opacity; for weaker links by their sum, as unfocused, and at least 0.35.
    double opacity = 1.0;
    bool rim = false;    ///< Draws an outline in the surface's colour.
    bool dashed = false; ///< Marks the second eight heads.
    QColor colour;
};

/// Number of strongest links that are drawn as thick outlined curves.
constexpr int kThickArcs = 40;

/// Curves in painting order, the strongest last.
std::vector<FocusArc> focusArcs(const ArcsContent& content, ArcEnd focus, double pitch,
                                const Theme& theme);

/// Hue of a head by its slot; a difference uses the colours of its sign instead.
QColor headHue(int slot, const Theme& theme);
QColor linkColour(const ArcsContent& content, const ArcLink& link, const Theme& theme);

/// S-shaped curve from one column to the other.
QPainterPath arcPath(QPointF from, QPointF to);

/// Vertical position of arcPath, as a fraction from one end to the other, at column edges 0 to
/// `columns`.
std::vector<float> arcShape(int columns);

} // namespace headscope::ui
