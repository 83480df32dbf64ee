#include "tests/support/test_program.h"
#include "ui/widgets/charts/lines/line_chart_axes.h"
#include "ui/widgets/charts/lines/timeline_widget.h"

#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

using namespace headscope::ui;

namespace {

TimelineContent tenSnapshots()
{
    TimelineContent content;
    content.x = {0, 2400, false};
    for (int index = 0; index < 10; ++index)
        content.snapshots.push_back({index * 200.0, index == 4});
    content.jumps = {240};
    content.trained = 1900;
    content.running = true;
    content.note = "10 snapshots, 1.6 MB";
    return content;
}

} // namespace

class TstTimeline : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void wordsSayWhatIsShown()
    {
        TimelineContent content = tenSnapshots();
        QCOMPARE(timelineText(content), QString("following live"));
        content.running = false;
        QCOMPARE(timelineText(content), "step " + count(1900) + ", the newest");
        content.shown = 2;
        QCOMPARE(timelineText(content), "step 400 of " + count(1900) + ", back to live");
        QCOMPARE(content.shownStep(), 400.0);
    }

    void theNearestMomentIsFound()
    {
        const TimelineContent content = tenSnapshots();
        QCOMPARE(nearestSnapshot(content, 1180), 6);
        QCOMPARE(nearestSnapshot(content, -5), 0);
        QCOMPARE(nearestSnapshot(content, 1e9), 9);
        QCOMPARE(nearestSnapshot({}, 3), -1);
    }

    void edgesAreThoseOfTheCharts()
    {
        const QRectF area(3, 0, 655, 300);
        LineChartContent chart;
        chart.x = {0, 2400, false};
        const LineChartAxes above(area, chart, Theme::light());
        const TimelineLayout below(area, tenSnapshots(), Theme::light());
        QCOMPARE(below.track().left(), above.plot().left());
        QCOMPARE(below.track().right(), above.plot().right());
        QCOMPARE(below.x(777), above.x(777));
    }

    void theKeyboardStepsThroughMoments()
    {
        TimelineWidget timeline;
        TimelineContent content = tenSnapshots();
        timeline.setContent(content);
        QSignalSpy chosen(&timeline, &TimelineWidget::snapshotChosen);
        QSignalSpy live(&timeline, &TimelineWidget::liveWanted);
        QSignalSpy played(&timeline, &TimelineWidget::playToggled);
        QSignalSpy pinned(&timeline, &TimelineWidget::pinToggled);
        QTest::keyClick(&timeline, Qt::Key_Left);
        QCOMPARE(chosen.takeLast().front().toInt(), 9);
        content.shown = 9;
        timeline.setContent(content);
        QCOMPARE(timeline.accessibleDescription(),
                 "step " + count(1800) + " of " + count(1900) + ", back to live");
        QTest::keyClick(&timeline, Qt::Key_Left);
        QCOMPARE(chosen.takeLast().front().toInt(), 8);
        QTest::keyClick(&timeline, Qt::Key_Right);
        QCOMPARE(chosen.takeLast().front().toInt(), 9);
        QTest::keyClick(&timeline, Qt::Key_Right);
        QCOMPARE(live.size(), 1); // after the last moment
        QCOMPARE(timeline.accessibleDescription(), QString("following live"));
        QTest::keyClick(&timeline, Qt::Key_Home);
        QCOMPARE(chosen.takeLast().front().toInt(), 0);
        QTest::keyClick(&timeline, Qt::Key_Space);
        QCOMPARE(played.size(), 1);
        QTest::keyClick(&timeline, Qt::Key_P);
        QCOMPARE(pinned.takeLast().front().toInt(), 0);
        QTest::keyClick(&timeline, Qt::Key_End);
        QCOMPARE(live.size(), 2);
    }

    void thePointerGoesToTheNearestMoment()
    {
        TimelineWidget timeline;
        timeline.resize(700, timeline.sizeHint().height());
        TimelineContent content = tenSnapshots();
        timeline.setContent(content);
        QSignalSpy chosen(&timeline, &TimelineWidget::snapshotChosen);
        QSignalSpy live(&timeline, &TimelineWidget::liveWanted);
        const auto press = [&timeline](double step) {
            const TimelineLayout layout = timeline.layoutNow();
            QTest::mousePress(&timeline, Qt::LeftButton, {},
                              {qRound(layout.x(step)), qRound(layout.track().center().y())});
        };
        press(690);
        QCOMPARE(chosen.takeLast().front().toInt(), 3);
        press(1890);
        QCOMPARE(live.size(), 1);
        content.shown = 3;
        timeline.setContent(content);
        QTest::mouseClick(&timeline, Qt::LeftButton, {},
                          timeline.layoutNow().link().center().toPoint());
        QCOMPARE(live.size(), 2);
    }

    void pinnedMomentsHaveAnotherShape()
    {
        const TimelineContent content = tenSnapshots();
        const Theme theme = Theme::light();
        const QRectF area(0, 0, 700, 96);
        const auto inkAt = [&](const TimelineContent& drawn, double step) {
            QImage image(700, 96, QImage::Format_RGB32);
            image.fill(theme.surface);
            QPainter painter(&image);
            const TimelineLayout layout(area, drawn, theme);
            paintTimeline(painter, layout, drawn, theme);
            painter.end();
            int ink = 0;
            const int x = qRound(layout.x(step));
            const int bottom = qRound(layout.track().top()) - 2;
            for (int dx = -5; dx <= 5; ++dx)
                for (int y = bottom - 18; y < bottom; ++y)
                    ink += qGray(image.pixel(x + dx, y)) < 200 ? 1 : 0;
            return ink;
        };
        TimelineContent unpinned = content;
        unpinned.snapshots[4].pinned = false;
        QVERIFY(inkAt(content, 800) > inkAt(unpinned, 800) + 15);
    }

    void aScreenReaderFindsEveryMoment()
    {
        TimelineWidget timeline;
        timeline.setContent(tenSnapshots());
        QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(&timeline);
        QVERIFY(reader);
        QCOMPARE(reader->childCount(), 10);
        QCOMPARE(reader->child(4)->text(QAccessible::Name), QString("step 800, pinned"));
    }
};

HEADSCOPE_WINDOW_TEST(TstTimeline)
#include "tst_timeline.moc"
