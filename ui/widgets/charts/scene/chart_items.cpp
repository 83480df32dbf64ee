#include "ui/widgets/charts/scene/chart_items.h"

#include <QFontMetricsF>
#include <QGraphicsEllipseItem>
#include <QGraphicsRectItem>
#include <QGraphicsScene>
#include <QGraphicsSimpleTextItem>

#include <utility>

namespace headscope::ui {

namespace {

constexpr double kBehind = -1.0; ///< Z value below the chart, which is at 0.
constexpr double kBefore = 1.0;
constexpr double kRim = 1.5;

/// Start of a text in its area.
QPointF beginning(const ChartText& text)
{
    const QFontMetricsF metrics(text.font);
    const double free = text.area.width() - metrics.horizontalAdvance(text.text);
    double x = text.area.x();
    if (text.alignment.testFlag(Qt::AlignRight))
        x += free;
    else if (text.alignment.testFlag(Qt::AlignHCenter))
        x += free / 2.0;
    return {x, text.area.center().y() - metrics.height() / 2.0};
}

} // namespace

ChartItems::ChartItems(QGraphicsScene& scene) : m_scene(scene) {}

ChartItems::~ChartItems() = default;

void ChartItems::show(const ChartPlot& plot, const std::function<QPointF(QPointF)>& pixels)
{
    m_items.clear();
    for (const ChartBox& band : plot.bands)
        addBox(band, kBehind);
    for (const ChartDot& dot : plot.dots)
        addDot(dot, pixels(dot.place));
    for (const ChartBox& box : plot.boxes)
        addBox(box, kBefore);
    for (const ChartText& text : plot.texts)
        addText(text);
}

void ChartItems::add(std::unique_ptr<QGraphicsItem> item, double height)
{
    item->setZValue(height);
    m_scene.addItem(item.get());
    m_items.push_back(std::move(item));
}

void ChartItems::addBox(const ChartBox& box, double height)
{
    auto item = std::make_unique<QGraphicsRectItem>(box.area);
    item->setPen(Qt::NoPen);
    item->setBrush(box.colour);
    add(std::move(item), height);
}

void ChartItems::addDot(const ChartDot& dot, QPointF centre)
{
    const double size = 2.0 * dot.radius;
    auto item = std::make_unique<QGraphicsEllipseItem>(centre.x() - dot.radius,
                                                       centre.y() - dot.radius, size, size);
    item->setPen(QPen(dot.rim, kRim));
    item->setBrush(dot.fill);
    add(std::move(item), kBefore);
}

void ChartItems::addText(const ChartText& text)
{
    if (text.text.isEmpty())
        return;
    auto item = std::make_unique<QGraphicsSimpleTextItem>(text.text);
    item->setFont(text.font);
    item->setBrush(text.colour);
    item->setPos(beginning(text));
    add(std::move(item), kBefore);
}

} // namespace headscope::ui
