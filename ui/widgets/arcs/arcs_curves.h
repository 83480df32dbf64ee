#pragma once

#include "ui/widgets/arcs/arcs.h"

#include <QPainterPath>

namespace headscope::ui {

/// All heads of one token pair as one curve: they share its geometry.
struct MergedArc
{
    int query = 0;
    int key = 0;
    float red = 0.0F; ///< density times colour, 0 to 255
    float green = 0.0F;
    float blue = 0.0F;
    float density = 0.0F; ///< -ln of what it lets through

    QColor colour() const; ///< opaque
    double opacity() const;
};

/// Opacity of one link at rest: 0.10 + 0.55 x weight.
double restOpacity(float weight);

/// One entry a pair with a link. Densities are divided by the root of the number of heads: many
/// heads do not blacken the picture, and one strong head among twelve still shows.
std::vector<MergedArc> mergedArcs(const ArcsContent& content, const Theme& theme);

/// A curve of the token in focus: one strong link, apart from the other heads' by its offset, or
/// all weaker links to one partner.
struct FocusArc
{
    int query = 0;
    int key = 0;
    double offset = 0.0;  ///< logical pixels, on both ends
    double width = 1.0;   ///< logical pixels
    double opacity = 1.0; ///< of weaker links, by their sum as at rest, never less than 0.35
    bool rim = false;     ///< in the surface's colour, around it
    bool dashed = false;  ///< the second eight heads
    QColor colour;
};

/// So many of the strongest links have a thick curve each, with a rim.
constexpr int kThickArcs = 40;

/// In drawing order, the strongest last.
std::vector<FocusArc> focusArcs(const ArcsContent& content, ArcEnd focus, double pitch,
                                const Theme& theme);

/// Hue of a head by its slot; a difference has the colours of its sign instead.
QColor headHue(int slot, const Theme& theme);
QColor linkColour(const ArcsContent& content, const ArcLink& link, const Theme& theme);

/// An S from one column to the other.
QPainterPath arcPath(QPointF from, QPointF to);

/// Share of the way from one end's height to the other's at column edges 0 to `columns`: arcPath as
/// a function of x.
std::vector<float> arcShape(int columns);

} // namespace headscope::ui
