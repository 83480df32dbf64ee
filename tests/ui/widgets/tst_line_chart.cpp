#include "tests/support/test_program.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/charts/lines/line_chart_plot.h"

#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

using namespace headscope::ui;

namespace {

LineChartContent someRun(int steps)
{
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0.0, 0.2);
    LineChartContent content;
    content.title = "Loss";
    content.note = "hover over a step to read it";
    content.unit = "step";
    content.perplexity = true;
    LineChartCurve validation{"validation", {}, LineChartCurve::Tone::Subject, 0, false, {}, {}};
    LineChartCurve training{"training", {}, LineChartCurve::Tone::Plain, 0, false, {}, {}};
    for (int step = 1; step <= steps; ++step) {
        const double loss = 3.5 * std::exp(-step / 300.0) + 0.4;
        training.points.emplace_back(step, loss);
        training.raw.emplace_back(step, loss + std::abs(noise(random)));
        if (step % 50 == 0)
            validation.points.emplace_back(step, 0.8 * loss);
    }
    content.curves = {validation, training};
    content.jumps = {{240, 400, "Jump at step 240", "copying appears in layer 1"}};
    content.marks = {{600, "learning rate 0.001", false}};
    content.x = {0, 1.2 * steps, false};
    content.y = axisOf(content.curves, false);
    return content;
}

} // namespace

class TstLineChart : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void axesHaveRoundTicksInsideThem()
    {
        const ChartAxis axis = axisAround(0.13, 3.87, 5);
        QCOMPARE(axis.low, 0.0);
        QCOMPARE(axis.high, 4.0);
        QCOMPARE(axis.ticks(5), (std::vector<double>{0, 1, 2, 3, 4}));
        QCOMPARE(tickText({0, 0.25, false}, 0.05, 5), QString("0.05"));
        QCOMPARE(axis.value(axis.place(1.7)), 1.7);
        const ChartAxis wide{1, 10'000, true};
        QCOMPARE(wide.ticks(7), (std::vector<double>{1, 10, 100, 1000, 10'000}));
        QCOMPARE(wide.place(100.0), 0.5);
        QCOMPARE(wide.value(0.25), 10.0);
        QVERIFY(std::isfinite(wide.place(0.0)));
        const ChartAxis small = axisAround(0.034, 0.41, 5, true);
        QCOMPARE(small.low, 0.02);
        QCOMPARE(small.high, 0.5);
    }

    void countedThingsHaveNoFractionsOnTheirAxis()
    {
        const ChartAxis layers{.high = 1.0, .whole = true};
        QCOMPARE(layers.ticks(7), (std::vector<double>{0, 1}));
        QCOMPARE(tickText(layers, 1.0, 7), QString("1"));
        const ChartAxis more{.high = 12.0, .whole = true};
        QCOMPARE(more.ticks(7), (std::vector<double>{0, 2, 4, 6, 8, 10, 12}));
    }

    void wordsHoldTheValuesAtAPlace()
    {
        LineChartContent content = someRun(1000);
        const double loss = 0.8 * (3.5 * std::exp(-1.5) + 0.4);
        const QString words = describePlace(content, 450);
        QVERIFY2(words.startsWith("step 450: validation " + number(loss, 3)), qPrintable(words));
        QVERIFY2(words.contains("perplexity " + number(std::exp(loss), 2)), qPrintable(words));
        QVERIFY(!words.contains("Jump"));
        QVERIFY(describePlace(content, 300).contains("copying appears in layer 1"));
        QVERIFY(describePlace(content, 600).contains("learning rate 0.001"));
        QVERIFY(!describePlace(content, 20).contains("validation"));
    }

    void axisOfLeavesOutWhatIsNotFinite()
    {
        LineChartCurve curve;
        curve.points = {{0, 2.0},
                        {1, std::numeric_limits<double>::infinity()},
                        {2, std::numeric_limits<double>::quiet_NaN()},
                        {3, 5.0}};
        const ChartAxis axis = axisOf({curve}, false);
        QCOMPARE(axis.low, 0.0);
        QCOMPARE(axis.high, 5.0);
        QVERIFY(axisOf({}, true).low > 0.0);
    }

    void placesOnTheChartReadBack()
    {
        const LineChartContent content = someRun(1000);
        const LineChartAxes axes(QRectF(0, 0, 700, 300), content, Theme::light());
        QCOMPARE(axes.x(0.0), axes.plot().left());
        QCOMPARE(axes.x(1200.0), axes.plot().right());
        QCOMPARE(axes.y(content.y.high), axes.plot().top());
        QVERIFY(std::abs(axes.valueOfX(axes.x(420.0)) - 420.0) < 1e-9);
    }

    void theKeyboardReadsEveryPoint()
    {
        LineChart chart("Loss");
        LineChartContent content = someRun(200);
        content.curves.resize(1); // points at 50, 100, 150, 200
        chart.setContent(content);
        QSignalSpy moved(&chart, &LineChart::cursorMoved);
        QSignalSpy chosen(&chart, &LineChart::stepChosen);
        QTest::keyClick(&chart, Qt::Key_Home);
        QCOMPARE(chart.content().cursor, std::optional(50.0));
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.content().cursor, std::optional(100.0));
        QVERIFY(chart.accessibleDescription().startsWith("step 100: validation"));
        QTest::keyClick(&chart, Qt::Key_End);
        QTest::keyClick(&chart, Qt::Key_Left);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.front().front().toDouble(), 150.0);
        QTest::keyClick(&chart, Qt::Key_Escape);
        QVERIFY(!chart.content().cursor);
        QCOMPARE(chart.accessibleDescription(), content.note);
        QCOMPARE(moved.size(), 5);
    }

    void thePointerReadsTheNearestPoint()
    {
        LineChart chart("Loss");
        chart.resize(700, 300);
        LineChartContent content = someRun(200);
        content.curves.resize(1);
        chart.setContent(content);
        const LineChartAxes axes = chart.axes();
        const QPoint place(qRound(axes.x(118)), qRound(axes.plot().center().y()));
        QTest::mouseMove(&chart, place);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, place);
        QCOMPARE(chart.content().cursor, std::optional(100.0));
    }

    void aScreenReaderFindsEveryValue()
    {
        LineChart chart("Loss");
        chart.setContent(someRun(200));
        QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(&chart);
        QVERIFY(reader && reader->tableInterface());
        QCOMPARE(reader->tableInterface()->columnCount(), 2);
        QCOMPARE(reader->tableInterface()->rowCount(), 200);
        const QString words = reader->tableInterface()->cellAt(49, 0)->text(QAccessible::Name);
        QVERIFY2(words.contains("step 50: validation "), qPrintable(words));
    }

    void vectorsKeepEveryText()
    {
        const LineChartContent content = someRun(1000);
        QBuffer buffer;
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        QPainter painter(&svg);
        const Theme theme = Theme::light();
        paintLineChart(painter, QRectF(0, 0, 700, 300), content, theme);
        painter.end();
        const QByteArray text = buffer.data();
        for (const char* wanted : {"Jump at step 240", "copying appears in layer 1", "perplexity",
                                   "validation", "training", "learning rate 0.001"})
            QVERIFY2(text.contains(wanted), wanted);
        QVERIFY(!text.contains("fill=\"\""));
    }

    void noTextIsCutByTheChart()
    {
        LineChartContent content = someRun(1000);
        content.numbersBelow = false;
        content.jumps = {{500, 520, "Jump at step 500",
                          "a description that is longer than half of the plot, with words"}};
        content.y.low = 0.4; // the training curve ends at the lower edge
        const QSizeF size(460, 150);
        const Theme theme = Theme::light();
        const ChartPlot plot = LineChartPlot(content, size, theme).plot();
        QVERIFY(plot.texts.size() > 4);
        for (const ChartText& text : plot.texts) {
            const QFontMetricsF metrics(text.font);
            const double middle = text.area.center().y();
            QVERIFY2(middle + metrics.height() / 2.0 <= size.height(), qPrintable(text.text));
            QVERIFY2(text.area.left() >= 0.0, qPrintable(text.text));
            QVERIFY2(metrics.horizontalAdvance(text.text) <= size.width() - text.area.left() + 1.0,
                     qPrintable(text.text));
        }
    }

    /// Nine heads that end alike, in charts as low as a small window makes them: no name covers
    /// another, and all are inside.
    void namesNeverOverlap()
    {
        const Theme theme = Theme::light();
        LineChartContent content;
        content.title = "Head scores";
        content.x = {0, 400, false};
        content.y = {0.0, 1.0, false};
        for (int head = 0; head < 9; ++head) {
            LineChartCurve curve;
            curve.name = QString("%1.%2").arg(head / 4).arg(head % 4);
            curve.ending = head == 8 ? QString("1.2 prev.") : curve.name;
            curve.points = {{1, 0.02}, {120, 0.03}};
            content.curves.push_back(curve);
        }
        for (int height = 96; height <= 260; height += 4) {
            for (const double last : {120.0, 400.0}) {
                for (LineChartCurve& curve : content.curves)
                    curve.points.back().setX(last);
                std::vector<QRectF> names;
                const LineChartPlot plot(content, QSizeF(600, height), theme);
                for (const ChartText& text : plot.plot().texts) {
                    if (!text.text.contains('.'))
                        continue;
                    QRectF ink = QFontMetricsF(text.font).tightBoundingRect(text.text);
                    ink.moveTopLeft({text.area.x(), text.area.center().y() - ink.height() / 2});
                    QVERIFY2(QRectF(0, 0, 600, height).contains(ink), qPrintable(text.text));
                    for (const QRectF& other : names)
                        QVERIFY2(!other.intersects(ink),
                                 qPrintable(QString("%1 at height %2").arg(text.text).arg(height)));
                    names.push_back(ink);
                }
                QCOMPARE(names.size(), std::size_t(9));
            }
        }
    }

    void aSpikeOfOneStepIsSeen()
    {
        LineChartContent content;
        LineChartCurve curve;
        for (int step = 0; step < 20'000; ++step)
            curve.points.emplace_back(step, step == 12'345 ? 9.0 : 1.0);
        content.curves = {curve};
        content.x = {0, 20'000, false};
        content.y = {0, 10, false};
        const Theme theme = Theme::light();
        QImage image(700, 300, QImage::Format_RGB32);
        image.fill(theme.surface);
        QPainter painter(&image);
        const LineChartAxes axes(QRectF(0, 0, 700, 300), content, theme);
        paintLineChart(painter, QRectF(0, 0, 700, 300), content, theme);
        painter.end();
        const int y = qRound(axes.y(6.5)); // between two lines of the grid
        const int x = qRound(axes.x(12'345));
        bool isDrawn = false;
        for (int near = x - 2; near <= x + 2; ++near)
            isDrawn = isDrawn || qGray(image.pixel(near, y)) < 200;
        QVERIFY(isDrawn);
        QVERIFY(qGray(image.pixel(x - 20, y)) > 240);
    }
};

HEADSCOPE_WINDOW_TEST(TstLineChart)
#include "tst_line_chart.moc"
