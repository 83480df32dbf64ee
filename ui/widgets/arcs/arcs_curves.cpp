#include "ui/widgets/arcs/arcs_curves.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kApart = 4.0;
constexpr int kHues = 8;
constexpr double kLeastOpacity = 0.35; // minimum opacity of focused curves

/// Inverse of x(t) = 1.5 t - 1.5 t^2 + t^3 of arcPath.
double parameterAt(double x)
{
    double t = x;
    for (int step = 0; step < 8; ++step)
        t -= (((t - 1.5) * t + 1.5) * t - x) / ((3.0 * t - 3.0) * t + 1.5);
    return t;
}

/// One curve per pair, in the order of the links.
std::vector<MergedArc> merged(const ArcsContent& content, const std::vector<ArcLink>& links,
                              double fraction, const Theme& theme)
{
    const auto keys = static_cast<std::size_t>(content.keys.size());
    std::vector<int> places(static_cast<std::size_t>(content.queries.size()) * keys, -1);
    std::vector<QColor> colours;
    for (const ArcHead& head : content.heads)
        colours.push_back(headHue(head.slot, theme));
    std::vector<MergedArc> arcs;
    for (const ArcLink& link : links) {
        int& place = places[static_cast<std::size_t>(link.query) * keys +
                            static_cast<std::size_t>(link.key)];
        if (place < 0) {
            place = static_cast<int>(arcs.size());
            arcs.push_back({link.query, link.key});
        }
        MergedArc& arc = arcs[static_cast<std::size_t>(place)];
        const auto density = static_cast<float>(-std::log1p(-restOpacity(link.weight)) * fraction);
        const QColor& colour = content.isSigned ? (link.weight < 0.0F ? theme.less : theme.more)
                                                : colours[static_cast<std::size_t>(link.head)];
        arc.red += density * static_cast<float>(colour.red());
        arc.green += density * static_cast<float>(colour.green());
        arc.blue += density * static_cast<float>(colour.blue());
        arc.density += density;
    }
    return arcs;
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
    const double heads =
        std::sqrt(static_cast<double>(std::max<std::size_t>(content.heads.size(), 1)));
    return merged(content, content.links, 1.0 / heads, theme);
}

std::vector<FocusArc> focusArcs(const ArcsContent& content, ArcEnd focus, double pitch,
                                const Theme& theme)
{
    std::vector<ArcLink> links = linksOf(content, focus);
    const auto heads = static_cast<double>(content.heads.size());
    const double apart = std::min(kApart * theme.scale(), 0.7 * pitch / std::max(heads, 1.0));
    const auto thick = links.end() - std::min<std::ptrdiff_t>(kThickArcs, std::ssize(links));
    std::vector<FocusArc> arcs;
    for (const MergedArc& weak : merged(content, {links.begin(), thick}, 1.0, theme)) {
        FocusArc arc;
        arc.query = weak.query;
        arc.key = weak.key;
        arc.opacity = std::max(weak.opacity(), kLeastOpacity);
        arc.colour = weak.colour();
        arcs.push_back(arc);
    }
    for (auto link = thick; link != links.end(); ++link) {
        FocusArc arc;
        arc.query = link->query;
        arc.key = link->key;
        arc.offset = (link->head - (heads - 1.0) / 2.0) * apart;
        arc.rim = true;
        arc.width = 1.0 + 5.0 * std::abs(double{link->weight});
        arc.dashed = content.heads[static_cast<std::size_t>(link->head)].slot >= kHues;
        arc.colour = linkColour(content, *link, theme);
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
