#include "tests/support/test_program.h"
#include "ui/widgets/charts/scene/free_areas.h"

#include <QTest>

using namespace headscope::ui;

namespace {

const QRectF kPlot(0, 0, 400, 200);
const QSizeF kText(80, 20);

} // namespace

class TstFreePlaces : public QObject
{
    Q_OBJECT

private slots:

    void anEmptyPlotHasRoomBesideTheStretch()
    {
        FreeAreas places(kPlot, {});
        QCOMPARE(places.take(kText, 100, 120), QRectF(QPointF(108, 6), kText));
    }

    void textsKeepOffEachOtherAndOffTheCurve()
    {
        const QRectF taken(100, 0, 200, 60);
        FreeAreas places(kPlot, {taken});
        places.addCurve({{0, 80}, {400, 80}}, 4.0);
        const QRectF first = places.take(kText, 100, 100);
        const QRectF second = places.take(kText, 100, 100);
        for (const QRectF& place : {first, second}) {
            QVERIFY(!place.intersects(taken));
            QVERIFY(kPlot.contains(place));
            QVERIFY(place.top() > 80 || place.bottom() < 80);
        }
        QVERIFY(!first.intersects(second));
    }

    void theHeavierCurveIsHiddenLast()
    {
        FreeAreas places(QRectF(0, 0, 90, 60), {});
        places.addCurve({{0, 10}, {90, 10}}, 4.0); // the first row
        places.addCurve({{0, 40}, {90, 40}}, 1.0); // the second
        QVERIFY(places.take({80, 22}, 0, 0).top() > 12);
    }

    void aTextThatFitsOnNeitherSideIsMovedInside()
    {
        FreeAreas places(kPlot, {});
        const QRectF place = places.take({300, 20}, 200, 210);
        QVERIFY(kPlot.contains(place));
    }

    void aPlotTooLowHasNoPlace()
    {
        FreeAreas places(QRectF(0, 0, 400, 10), {});
        QVERIFY(places.take(kText, 100, 100).isEmpty());
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstFreePlaces)
#include "tst_free_areas.moc"
