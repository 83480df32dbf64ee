#include "tests/support/test_program.h"
#include "ui/widgets/charts/lines/line_chart_plot.h"
#include "ui/widgets/charts/scene/chart_scene.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace headscope::ui;

namespace {

const QSizeF kSize(600, 300);

LineChartContent contentOf(int curves, bool logarithmic)
{
    LineChartContent content;
    content.title = "Loss";
    content.note = "point at a step";
    content.unit = "step";
    content.numbersBelow = true;
    for (int index = 0; index < curves; ++index) {
        LineChartCurve curve;
        curve.name = QString("curve %1").arg(index);
        curve.tone = LineChartCurve::Tone::Head;
        curve.slot = index;
        for (int step = 1; step <= 1000; step += 7)
            curve.points.emplace_back(step, 10.0 * (index + 1) / step);
        content.curves.push_back(curve);
    }
    content.x = {1, 1000, logarithmic};
    content.y = axisOf(content.curves, logarithmic);
    return content;
}

ChartPlot plotOf(const LineChartContent& content, bool dark = false, QSizeF size = kSize)
{
    return LineChartPlot(content, size, Theme::named(dark, bodyFont())).plot();
}

QImage imageOf(ChartScene& scene)
{
    QImage image(kSize.toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    scene.paint(painter, QRectF(QPointF(), kSize));
    return image;
}

QImage imageOf(const ChartPlot& plot)
{
    ChartScene scene;
    scene.show(plot);
    return imageOf(scene);
}

QByteArray svgOf(const ChartPlot& plot)
{
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    QPainter painter(&svg);
    paintChart(painter, QRectF(QPointF(), plot.size), plot);
    painter.end();
    return buffer.data();
}

} // namespace

class TstChartScene : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void placesAreWhereTheLayoutHasThem_data()
    {
        QTest::addColumn<bool>("logarithmic");
        QTest::newRow("even") << false;
        QTest::newRow("logarithms") << true;
    }

    void placesAreWhereTheLayoutHasThem()
    {
        QFETCH(const bool, logarithmic);
        const LineChartContent content = contentOf(1, logarithmic);
        const ChartPlot plot = plotOf(content);
        ChartScene scene;
        scene.show(plot);
        const LineChartAxes axes(QRectF(QPointF(), kSize), content, Theme::light());
        QCOMPARE(plot.area, axes.plot());
        for (const QPointF point : {QPointF(1, 10), QPointF(100, 2.5), QPointF(900, 0.02)}) {
            const QPointF place(content.x.place(point.x()), content.y.place(point.y()));
            const QPointF pixels = scene.at(place);
            QVERIFY(std::abs(pixels.x() - axes.x(point.x())) <= 0.5 + 1e-6);
            QVERIFY(std::abs(pixels.y() - axes.y(point.y())) <= 0.5 + 1e-6);
        }
    }

    void thePlotFollowsItsSize()
    {
        ChartScene scene;
        for (const QSizeF size : {kSize, QSizeF(400, 200), QSizeF(900, 500)}) {
            const ChartPlot plot = plotOf(contentOf(2, false), false, size);
            scene.show(plot);
            QVERIFY((scene.at({0, 1}) - plot.area.topLeft()).manhattanLength() <= 1.0 + 1e-6);
            QVERIFY((scene.at({1, 0}) - plot.area.bottomRight()).manhattanLength() <= 1.0 + 1e-6);
        }
    }

    void aSceneThatIsKeptShowsOnlyTheNewPlot()
    {
        LineChartContent marked = contentOf(4, true);
        marked.perplexity = true;
        marked.cursor = 400;
        marked.jumps = {{100, 300, "Jump", "of something"}};
        marked.marks = {{500, "settings", false}};
        LineChartContent empty = contentOf(0, false);
        empty.numbersBelow = false;
        const ChartPlot plots[] = {plotOf(contentOf(2, false)), plotOf(marked),
                                   plotOf(contentOf(1, true), true), plotOf(empty),
                                   plotOf(contentOf(3, false))};
        ChartScene kept;
        for (const ChartPlot& plot : plots) {
            kept.show(plot);
            QCOMPARE(imageOf(kept), imageOf(plot));
        }
    }

    void ticksMayShareATextAndHoldAnyCharacter()
    {
        ChartPlot plot = plotOf(contentOf(1, false));
        plot.left.ticks = {{0.2, "same"}, {0.5, "same"}, {0.8, "a<b&c"}};
        const QByteArray svg = svgOf(plot);
        QCOMPARE(svg.count("same"), 2);
        QVERIFY(svg.contains("a&lt;b&amp;c"));
    }

    void numbersOfAllTicksAreShown()
    {
        LineChartContent content = contentOf(1, true);
        content.perplexity = true;
        const ChartPlot plot = plotOf(content);
        const QString svg = QString::fromUtf8(svgOf(plot));
        QVERIFY(plot.left.ticks.size() >= 3 && plot.below.ticks.size() >= 3);
        for (const ChartTicks* side : {&plot.left, &plot.below})
            for (const ChartTick& tick : side->ticks)
                QVERIFY2(svg.contains('>' + tick.text), qPrintable(tick.text));
    }

    void aCurveOfNothingButZerosIsSeen()
    {
        LineChartContent content = contentOf(0, false);
        LineChartCurve zeros;
        zeros.name = "zeros";
        zeros.tone = LineChartCurve::Tone::Subject;
        zeros.points = {{1, 0.0}, {1000, 0.0}};
        content.curves = {zeros};
        content.y = axisOf(content.curves, false); // from 0 to 2e-13
        const ChartPlot plot = plotOf(content);
        const QImage image = imageOf(plot);
        const int x = qRound(plot.area.center().x());
        const int y = qRound(plot.area.bottom()) - 2;
        const QColor colour = image.pixelColor(x, y);
        QVERIFY2(colour.blue() > colour.red() + 60, qPrintable(colour.name()));
    }

    void nothingFiniteLeavesNoWarning()
    {
        LineChartContent content = contentOf(1, true);
        content.curves.front().points = {{1, std::numeric_limits<double>::quiet_NaN()},
                                         {10, std::numeric_limits<double>::infinity()}};
        QTest::failOnWarning(QRegularExpression(".*"));
        const ChartPlot plot = plotOf(content);
        QVERIFY(plot.lines.empty() && plot.dots.empty());
        QVERIFY(!imageOf(plot).isNull());
    }

    void aGapPartsACurve()
    {
        LineChartContent content = contentOf(1, false);
        content.curves.front().points[70].setY(std::numeric_limits<double>::quiet_NaN());
        const ChartPlot plot = plotOf(content);
        QCOMPARE(plot.lines.size(), std::size_t{2});
        QCOMPARE(plot.dots.size(), std::size_t{1});
    }

    void printedTextsStayTexts()
    {
        QBuffer buffer;
        QVERIFY(buffer.open(QIODevice::WriteOnly));
        QPdfWriter writer(&buffer);
        writer.setResolution(96);
        QPainter painter(&writer);
        const ChartPlot plot = plotOf(contentOf(2, false));
        paintChart(painter, QRectF(QPointF(20, 20), kSize), plot);
        painter.end();
        QVERIFY(buffer.data().contains("/ToUnicode"));
        QVERIFY(!svgOf(plot).contains("<image"));
    }
};

HEADSCOPE_WINDOW_TEST(TstChartScene)
#include "tst_chart_scene.moc"
