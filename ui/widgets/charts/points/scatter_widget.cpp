#include "ui/widgets/charts/points/scatter_widget.h"

#include "ui/widgets/charts/scene/chart_scene.h"
#include "ui/widgets/style/focus_frame.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::ui {

namespace {

constexpr double kReach = 16.0; ///< Maximum distance of a click from a point.

} // namespace

ScatterWidget::ScatterWidget(QWidget* parent) : DrawnWidget(Items::Plane, {}, parent) {}

ScatterWidget::~ScatterWidget() = default;

void ScatterWidget::setContent(ScatterContent content)
{
    m_content = std::move(content);
    m_byX.clear();
    for (int index = 0; index < static_cast<int>(m_content.points.size()); ++index)
        if (m_content.points[static_cast<std::size_t>(index)].isFinite())
            m_byX.push_back(index);
    std::stable_sort(m_byX.begin(), m_byX.end(), [this](int a, int b) {
        return m_content.points[static_cast<std::size_t>(a)].x <
               m_content.points[static_cast<std::size_t>(b)].x;
    });
    const auto found = std::find(m_byX.begin(), m_byX.end(), m_content.current.value_or(-1));
    itemsChanged(found != m_byX.end() ? std::optional(static_cast<int>(found - m_byX.begin()))
                                      : std::nullopt);
}

QRectF ScatterWidget::area() const
{
    return QRectF(rect()).adjusted(2, 2, -2, -2);
}

const ScatterPoint& ScatterWidget::point(int item) const
{
    return m_content.points[static_cast<std::size_t>(indexOf(item))];
}

/// Nearest point.
std::optional<int> ScatterWidget::itemAt(QPointF position) const
{
    const Theme theme = Theme::of(*this);
    const ScatterPlot plot(m_content, area().size(), theme);
    std::optional<int> nearest;
    double least = kReach;
    for (int item = 0; item < itemCount(); ++item) {
        const QPointF away = plot.at(point(item)) + area().topLeft() - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance <= least) {
            least = distance;
            nearest = item;
        }
    }
    return nearest;
}

QString ScatterWidget::itemText(int item) const
{
    const ScatterPoint& at = point(item);
    return tr("head %1: %2 %3, %4 %5")
        .arg(at.name, m_content.xName, number(at.x, 3), m_content.yName, number(at.y, 3));
}

QRectF ScatterWidget::itemRect(int item) const
{
    constexpr double radius = ScatterPlot::kRadius;
    const Theme theme = Theme::of(*this);
    const QPointF centre =
        ScatterPlot(m_content, area().size(), theme).at(point(item)) + area().topLeft();
    return {centre - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)};
}

std::optional<int> ScatterWidget::itemAfter(int key) const
{
    const bool up = key == Qt::Key_Up || key == Qt::Key_Down;
    const bool along = key == Qt::Key_Left || key == Qt::Key_Right;
    if ((!up && !along) || m_byX.empty())
        return std::nullopt;
    std::vector<int> order(m_byX.size());
    std::iota(order.begin(), order.end(), 0);
    if (up)
        std::stable_sort(order.begin(), order.end(),
                         [this](int a, int b) { return point(a).y < point(b).y; });
    const bool forward = key == Qt::Key_Right || key == Qt::Key_Up;
    const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
    const auto found = std::find(order.begin(), order.end(), currentItem().value_or(-1));
    const std::ptrdiff_t place =
        found == order.end()
            ? (forward ? 0 : last)
            : std::clamp<std::ptrdiff_t>(found - order.begin() + (forward ? 1 : -1), 0, last);
    return order[static_cast<std::size_t>(place)];
}

bool ScatterWidget::openItem(int item)
{
    emit pointOpened(indexOf(item));
    return true;
}

void ScatterWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    if (!m_scene)
        m_scene = std::make_unique<ChartScene>();
    m_scene->show(ScatterPlot(m_content, area().size(), theme).plot());
    m_scene->paint(painter, area());
    paintFocusFrame(painter, *this);
}

} // namespace headscope::ui
