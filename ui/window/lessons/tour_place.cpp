#include "ui/window/lessons/tour_place.h"

#include <algorithm>
#include <limits>

namespace headscope::ui {

namespace {

constexpr int kStep = 8; // distance between the places that are compared
constexpr double kOverTarget = 1000.0;
constexpr double kAway = 50.0;
constexpr double kAlong = 0.1; // prefers places near the start of the target

double areaOf(const QRect& rect)
{
    return rect.isEmpty() ? 0.0 : double{1} * rect.width() * rect.height();
}

/// Distance between two intervals; 0 where they overlap.
int gap(int begin, int end, int otherBegin, int otherEnd)
{
    return std::max({otherBegin - end, begin - otherEnd, 0});
}

double costOf(const QRect& callout, const QRect& target, const std::vector<QRect>& mentioned)
{
    double cost = kOverTarget * areaOf(callout & target);
    for (const QRect& rect : mentioned)
        cost += areaOf(callout & rect);
    const int across = gap(callout.left(), callout.right(), target.left(), target.right());
    const int down = gap(callout.top(), callout.bottom(), target.top(), target.bottom());
    const bool atCorner = across > 0 && down > 0; // an arrow would not meet the target
    return cost + kAway * (across + down) + (atCorner ? kOverTarget : 0.0) +
           kAlong *
               (std::abs(callout.left() - target.left()) + std::abs(callout.top() - target.top()));
}

Qt::Edge arrowEdge(const QRect& callout, const QRect& target)
{
    if (callout.top() > target.bottom())
        return Qt::TopEdge;
    if (callout.bottom() < target.top())
        return Qt::BottomEdge;
    return callout.left() > target.right() ? Qt::LeftEdge : Qt::RightEdge;
}

} // namespace

TourPlace tourPlace(QSize size, const QRect& window, const QRect& target,
                    const std::vector<QRect>& mentioned)
{
    QRect best(window.topLeft(), size);
    double least = std::numeric_limits<double>::infinity();
    const auto compare = [&](int x, int y) {
        const QRect callout(QPoint(x, y), size);
        const double cost = costOf(callout, target, mentioned);
        if (cost < least) {
            least = cost;
            best = callout;
        }
    };
    const int right = std::max(window.right() - size.width() + 1, window.left());
    const int bottom = std::max(window.bottom() - size.height() + 1, window.top());
    std::vector<int> across{target.left(), target.right() + 1, target.left() - size.width(), right};
    std::vector<int> down{target.top(), target.bottom() + 1, target.top() - size.height(), bottom};
    for (int x = window.left(); x <= right; x += kStep)
        across.push_back(x);
    for (int y = window.top(); y <= bottom; y += kStep)
        down.push_back(y);
    for (const int y : down)
        for (const int x : across)
            compare(std::clamp(x, window.left(), right), std::clamp(y, window.top(), bottom));
    const Qt::Edge edge = arrowEdge(best, target);
    const QPoint towards = (target & best.adjusted(-10000, -10000, 10000, 10000)).center();
    const bool upright = edge == Qt::TopEdge || edge == Qt::BottomEdge;
    const int tip = upright ? towards.x() - best.left() : towards.y() - best.top();
    return {best.topLeft(), edge, tip, !best.intersects(target)};
}

} // namespace headscope::ui
