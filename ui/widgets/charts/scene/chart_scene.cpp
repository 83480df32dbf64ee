#include "ui/widgets/charts/scene/chart_scene.h"

#include <QCategoryAxis>
#include <QChart>
#include <QCoreApplication>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QPainter>
#include <QThread>

namespace headscope::ui {

namespace {

constexpr double kHalf = 0.5;      ///< Half a pixel: 1 px lines are centred on pixels.
constexpr double kUnderneath = 40; ///< Height below which an axis hides its lowest number.

/// QChart without its default frame, legend and margins.
QChart* bareChart()
{
    auto* chart = new QChart;
    chart->setBackgroundVisible(false);
    chart->setMargins({});
    chart->layout()->setContentsMargins(0.0, 0.0, 0.0, 0.0);
    chart->legend()->hide();
    chart->setPos(kHalf, kHalf);
    return chart;
}

} // namespace

ChartScene::ChartScene()
    : m_scene(std::make_unique<QGraphicsScene>())
    , m_chart(bareChart())
    , m_left(*m_chart, Qt::AlignLeft)
    , m_below(*m_chart, Qt::AlignBottom)
    , m_right(*m_chart, Qt::AlignRight)
    , m_lines(*m_chart, m_below.axis(), m_left.axis())
    , m_items(*m_scene)
{
    Q_ASSERT(QThread::currentThread() == QCoreApplication::instance()->thread());
    m_scene->setItemIndexMethod(QGraphicsScene::NoIndex);
    m_scene->addItem(m_chart);
}

ChartScene::~ChartScene() = default;

void ChartScene::show(const ChartPlot& plot)
{
    m_scene->setSceneRect(QRectF(QPointF(), plot.size));
    m_chart->resize(plot.size + QSizeF(0.0, kUnderneath));
    if (m_chart->plotArea() != plot.area) {
        m_chart->setPlotArea(plot.area);
        m_chart->layout()->invalidate();
    }
    m_left.show(plot.left);
    m_below.show(plot.below);
    m_right.show(plot.right);
    m_chart->layout()->activate();
    m_lines.show(plot.lines);
    m_items.show(plot, [this](QPointF place) { return at(place); });
}

QPointF ChartScene::at(QPointF place) const
{
    return m_chart->mapToParent(m_chart->mapToPosition(place));
}

void ChartScene::paint(QPainter& painter, QRectF area)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    m_scene->render(&painter, area, m_scene->sceneRect(), Qt::IgnoreAspectRatio);
    painter.restore();
}

void paintChart(QPainter& painter, QRectF area, const ChartPlot& plot)
{
    ChartScene scene;
    scene.show(plot);
    scene.paint(painter, area);
}

} // namespace headscope::ui
