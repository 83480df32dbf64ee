#include "ui/widgets/charts/scene/free_areas.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kOverTheStretch = 1.0; ///< Cost of a place moved over the stretch.

/// Length of a curve inside `place`, summed over pieces of a few pixels.
double inside(const QRectF& place, const std::vector<QPointF>& points)
{
    constexpr double kPiece = 4.0;
    double pieces = 0.0;
    for (std::size_t index = 1; index < points.size(); ++index) {
        const QPointF from = points[index - 1];
        const QPointF way = points[index] - from;
        if (std::max(from.x(), points[index].x()) < place.left() || from.x() > place.right())
            continue;
        const int count = 1 + static_cast<int>(std::hypot(way.x(), way.y()) / kPiece);
        for (int piece = 0; piece < count; ++piece)
            pieces += place.contains(from + way * (double(piece) / count)) ? 1.0 : 0.0;
    }
    return pieces;
}

} // namespace

FreeAreas::FreeAreas(QRectF plot, std::vector<QRectF> taken)
    : m_plot(plot)
    , m_taken(std::move(taken))
{
}

void FreeAreas::addCurve(std::vector<QPointF> points, double weight)
{
    m_curves.push_back({std::move(points), weight});
}

double FreeAreas::hiddenBy(const QRectF& place) const
{
    double hidden = 0.0;
    for (const Curve& curve : m_curves)
        hidden += curve.weight * inside(place, curve.points);
    for (const QRectF& other : m_taken)
        hidden += other.intersects(place) ? 1e6 : 0.0;
    return hidden;
}

/// Best row and side: the one that hides least, earlier ones preferred. Texts that fit beside the
/// stretch on neither side are moved over it, so that they are not cut.
QRectF FreeAreas::best(QSizeF size, double left, double right) const
{
    const double starts[] = {left + 8, left - 8 - size.width(), right + 8,
                             m_plot.right() - size.width() - 4};
    QRectF best;
    double least = 1e300;
    for (double y = m_plot.top() + 6; y + size.height() <= m_plot.bottom();
         y += size.height() / 2) {
        double far = 0.0;
        for (const double start : starts) {
            const double furthest = std::max(m_plot.left(), m_plot.right() - size.width());
            const double x = std::clamp(start, m_plot.left(), furthest);
            const QRectF place(QPointF(x, y), size);
            const double hidden = hiddenBy(place) + (x == start ? 0.0 : kOverTheStretch) + far;
            if (hidden < 1.0)
                return place; // hides nothing
            if (hidden < least) {
                least = hidden;
                best = place;
            }
            far += 0.25;
        }
    }
    return best;
}

QRectF FreeAreas::take(QSizeF size, double left, double right)
{
    m_taken.push_back(best(size, left, right));
    return m_taken.back();
}

} // namespace headscope::ui
