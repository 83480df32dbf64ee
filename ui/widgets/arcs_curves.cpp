#include "ui/widgets/arcs_curves.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kApart = 4.0;
constexpr int kHues = 8;

/// x(t) = 1.5 t - 1.5 t^2 + t^3 of arcPath, turned round.
double parameterAt(double x)
{
    double t = x;
    for (int step = 0; step < 8; ++step)
        t -= (((t - 1.5) * t + 1.5) * t - x) / ((3.0 * t - 3.0) * t + 1.5);
    return t;
}

} // namespace

QColor MergedArc::colour() const
{
    const auto part = [this](float sum) {
        return std::clamp(static_cast<int>(sum / density + 0.5F), 0, 255);
    };
    return density > 0.0F ? QColor(part(red), part(green), part(blue)) : QColor();
}

double MergedArc::opacity() const
{
    return 1.0 - std::exp(-double{density});
}

double restOpacity(float weight)
{
    return std::min(0.10 + 0.55 * std::abs(double{weight}), 0.95);
}

QColor headHue(int slot, const Theme& theme)
{
    return theme.waveHue(slot % kHues);
}

QColor linkColour(const ArcsContent& content, const ArcLink& link, const Theme& theme)
{
    if (content.isSigned)
        return link.weight < 0.0F ? theme.less : theme.more;
    return headHue(content.heads[static_cast<std::size_t>(link.head)].slot, theme);
}

std::vector<MergedArc> mergedArcs(const ArcsContent& content, const Theme& theme)
{
    const auto keys = static_cast<std::size_t>(content.keys.size());
    std::vector<int> places(static_cast<std::size_t>(content.queries.size()) * keys, -1);
    std::vector<MergedArc> arcs;
    const double heads =
        std::sqrt(static_cast<double>(std::max<std::size_t>(content.heads.size(), 1)));
    for (const ArcLink& link : content.links) {
        int& place = places[static_cast<std::size_t>(link.query) * keys +
                            static_cast<std::size_t>(link.key)];
        if (place < 0) {
            place = static_cast<int>(arcs.size());
            arcs.push_back({link.query, link.key});
        }
        MergedArc& arc = arcs[static_cast<std::size_t>(place)];
        const auto density = static_cast<float>(-std::log1p(-restOpacity(link.weight)) / heads);
        const QColor colour = linkColour(content, link, theme);
        arc.red += density * static_cast<float>(colour.red());
        arc.green += density * static_cast<float>(colour.green());
        arc.blue += density * static_cast<float>(colour.blue());
        arc.density += density;
    }
    return arcs;
}

std::vector<FocusArc> focusArcs(const ArcsContent& content, ArcEnd focus, double pitch,
                                const Theme& theme)
{
    const std::vector<ArcLink> links = linksOf(content, focus);
    const auto heads = static_cast<double>(content.heads.size());
    const double apart = std::min(kApart * theme.scale(), 0.7 * pitch / std::max(heads, 1.0));
    const auto thin = static_cast<std::ptrdiff_t>(links.size()) - kThickArcs;
    std::vector<FocusArc> arcs;
    for (const ArcLink& link : links) {
        FocusArc arc;
        arc.link = link;
        arc.offset = (link.head - (heads - 1.0) / 2.0) * apart;
        arc.rim = static_cast<std::ptrdiff_t>(arcs.size()) >= thin;
        arc.width = arc.rim ? 1.0 + 5.0 * std::abs(double{link.weight}) : 1.0;
        arc.dashed = content.heads[static_cast<std::size_t>(link.head)].slot >= kHues;
        arc.colour = linkColour(content, link, theme);
        arcs.push_back(arc);
    }
    return arcs;
}

std::vector<float> arcShape(int columns)
{
    std::vector<float> shape(static_cast<std::size_t>(columns) + 1);
    for (int edge = 0; edge <= columns; ++edge) {
        const double t = parameterAt(static_cast<double>(edge) / std::max(columns, 1));
        shape[static_cast<std::size_t>(edge)] = static_cast<float>((3.0 - 2.0 * t) * t * t);
    }
    return shape;
}

QPainterPath arcPath(QPointF from, QPointF to)
{
    const double middle = (from.x() + to.x()) / 2.0;
    QPainterPath path(from);
    path.cubicTo({middle, from.y()}, {middle, to.y()}, to);
    return path;
}

} // namespace headscope::ui
