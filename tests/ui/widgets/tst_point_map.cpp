#include "tests/support/test_program.h"
#include "ui/widgets/charts/bars/spectrum.h"
#include "ui/widgets/charts/points/point_map.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace headscope::ui;

namespace {

/// A cross: left, right, top, bottom, middle.
PointMapContent cross()
{
    PointMapContent content;
    const double places[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {0, 0}};
    for (const auto& place : places) {
        MapPoint point;
        point.name = QString::number(content.points.size());
        point.x = place[0];
        point.y = place[1];
        point.shade = content.points.empty() ? NAN : 0.5;
        content.points.push_back(point);
    }
    content.selected = 4;
    return content;
}

} // namespace

class TstPointMap : public QObject
{
    Q_OBJECT

private slots:

    void distancesKeepTheirProportions()
    {
        const PointMapLayout layout({0, 0, 400, 200}, cross(), Theme::light());
        const double across = layout.at(1).x() - layout.at(0).x();
        const double down = layout.at(3).y() - layout.at(2).y();
        QCOMPARE(across, down);
        QVERIFY(down > 150.0 && down <= 200.0);
        QCOMPARE(layout.at(4), QPointF(200, 100));
    }

    void pointsThatAllAgreeLieInTheMiddle()
    {
        PointMapContent content;
        content.points.resize(3);
        const PointMapLayout layout({0, 0, 100, 100}, content, Theme::light());
        QCOMPARE(layout.at(2), QPointF(50, 50));
        QVERIFY(layout.pointAt({50, 50}) >= 0);
        QCOMPARE(layout.pointAt({5, 5}), -1);
    }

    void arrowsGoToTheNearestThatWay()
    {
        PointMapWidget widget;
        widget.resize(300, 300);
        widget.setContent(cross());
        widget.show();
        QSignalSpy activated(&widget, &PointMapWidget::pointActivated);
        const std::pair<Qt::Key, int> ways[] = {
            {Qt::Key_Left, 0}, {Qt::Key_Right, 1}, {Qt::Key_Up, 2}, {Qt::Key_Down, 3}};
        for (const auto& [key, point] : ways) {
            QTest::keyClick(&widget, key);
            QCOMPARE(activated.takeFirst().at(0).toInt(), point);
        }
        PointMapContent content = cross();
        content.selected = 0;
        widget.setContent(content);
        QTest::keyClick(&widget, Qt::Key_Left); // nothing lies there
        QCOMPARE(activated.size(), 0);
        QSignalSpy opened(&widget, &PointMapWidget::pointOpened);
        QTest::keyClick(&widget, Qt::Key_Return);
        QCOMPARE(opened.takeFirst().at(0).toInt(), 0);
    }

    void aClickChoosesThePointUnderIt()
    {
        PointMapWidget widget;
        widget.resize(300, 300);
        widget.setContent(cross());
        widget.show();
        QSignalSpy activated(&widget, &PointMapWidget::pointActivated);
        QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.layoutNow().at(1).toPoint());
        QCOMPARE(activated.takeFirst().at(0).toInt(), 1);
        QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(40, 40));
        QCOMPARE(activated.size(), 0);
    }

    void anEmptyMapTakesKeysAndPaints()
    {
        PointMapWidget widget;
        widget.show();
        QTest::keyClick(&widget, Qt::Key_Left);
        QVERIFY(!widget.grab().isNull());
        SpectrumWidget spectrum;
        spectrum.setValues({});
        QVERIFY(!spectrum.grab().isNull());
        spectrum.setValues({2.0, 1.0, 0.5});
        QVERIFY(spectrum.accessibleDescription().contains("2.000"));
    }
};

HEADSCOPE_WINDOW_TEST(TstPointMap)
#include "tst_point_map.moc"
