// links: ui/pages
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"
#include "ui/window/lessons/tour.h"
#include "ui/window/lessons/tour_place.h"

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

/// The tour in a window of 1366 x 728.
struct TourFixture : WindowFixture
{
    TourFixture()
    {
        window->resize(1366, 728);
        if (!QTest::qWaitForWindowActive(window.get()) ||
            !QTest::qWaitFor([this] { return isPainted(); }))
            qFatal("nothing was painted");
        window->startTour();
        tour = window->findChild<Tour*>();
    }

    /// The callout without the margin for its arrow.
    QRect box() const { return tour->geometry().adjusted(10, 10, -10, -10); }

    QRect placeOf(const QWidget& widget) const
    {
        return {widget.mapTo(window.get(), QPoint()), widget.size()};
    }

    /// Such as "2 of 5".
    QString count() const { return childOf<TextLabel>(*tour, "count").text(); }

    void press(Qt::Key key) const { QTest::keyClick(QApplication::focusWidget(), key); }

    Tour* tour = nullptr;
};

} // namespace

class TstTour : public QObject
{
    Q_OBJECT

private slots:
    void theFirstStepLeavesTheKeysToTheSentence();
    void noStepCoversItsObject();
    void aStepShowsThePageThatItIsAbout();
    void theCalloutFollowsItsObject();
    void trainingStartsMeanwhile();
    void aCalloutStandsBesideItsTarget_data();
    void aCalloutStandsBesideItsTarget();
};

void TstTour::theFirstStepLeavesTheKeysToTheSentence()
{
    TourFixture fixture;
    QCOMPARE(QApplication::focusWidget(), &fixture.window->sentence());
    fixture.press(Qt::Key_End);
    QTest::keyClicks(QApplication::focusWidget(), " on a mat");
    QCOMPARE(fixture.session.text(), QString("the cat sat on a mat"));
    QCOMPARE(fixture.count(), QString("1 of 5"));
    fixture.press(Qt::Key_Return);
    QCOMPARE(fixture.count(), QString("2 of 5"));
    QCOMPARE(fixture.window->page(), QString("overview"));
}

void TstTour::noStepCoversItsObject()
{
    TourFixture fixture;
    for (int step = 0; step < fixture.tour->stepCount(); ++step) {
        QCOMPARE(fixture.count(), QString("%1 of 5").arg(step + 1));
        QRect object = fixture.placeOf(*fixture.tour->target());
        if (const auto* grid = qobject_cast<HeadGridWidget*>(fixture.tour->target()))
            object.setSize(grid->layoutNow().size().toSize().boundedTo(object.size()));
        QVERIFY2(!fixture.box().intersects(object), qPrintable(QString::number(step)));
        QVERIFY(fixture.window->rect().contains(fixture.box()));
        fixture.press(Qt::Key_Return);
    }
    QVERIFY(!fixture.tour->isRunning());
}

void TstTour::aStepShowsThePageThatItIsAbout()
{
    TourFixture fixture;
    fixture.press(Qt::Key_Return);
    fixture.window->showPage("arcs");
    fixture.tour->setFocus();
    QTest::keyClick(fixture.tour, Qt::Key_Right);
    QCOMPARE(fixture.count(), QString("3 of 5"));
    QCOMPARE(fixture.window->page(), QString("overview"));
    QVERIFY(fixture.tour->target()->isVisible());
    fixture.window->showPage("head");        // as Enter in the grid does
    QTRY_VERIFY(!fixture.tour->isVisible()); // it would point at something else
    fixture.window->showPage("overview");
    QTRY_VERIFY(fixture.tour->isVisible());
}

void TstTour::theCalloutFollowsItsObject()
{
    TourFixture fixture;
    fixture.press(Qt::Key_Return);
    fixture.press(Qt::Key_Return);
    QCOMPARE(fixture.count(), QString("3 of 5"));
    fixture.window->resize(1600, 1000);
    QTRY_VERIFY(fixture.window->rect().contains(fixture.box()));
    QTRY_VERIFY(!fixture.box().intersects(
        QRect(fixture.placeOf(*fixture.tour->target()).topLeft(), QSize(60, 60))));
}

void TstTour::trainingStartsMeanwhile()
{
    TourFixture fixture;
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F5);
    QCOMPARE(fixture.window->page(), QString("train"));
    QVERIFY(fixture.tour->isRunning());
}

void TstTour::aCalloutStandsBesideItsTarget_data()
{
    QTest::addColumn<QRect>("target");
    QTest::addColumn<Qt::Edge>("arrow");
    QTest::newRow("a bar above") << QRect(0, 0, 1000, 40) << Qt::TopEdge;
    QTest::newRow("a column on the left") << QRect(0, 40, 180, 660) << Qt::LeftEdge;
    QTest::newRow("a column on the right") << QRect(820, 0, 180, 700) << Qt::RightEdge;
    QTest::newRow("a bar below") << QRect(0, 660, 1000, 40) << Qt::BottomEdge;
}

void TstTour::aCalloutStandsBesideItsTarget()
{
    QFETCH(QRect, target);
    QFETCH(Qt::Edge, arrow);
    const QRect window(0, 0, 1000, 700);
    const QSize size(340, 180);
    const TourPlace place = tourPlace(size, window, target, {QRect(200, 60, 200, 200)});
    const QRect callout(place.corner, size);
    QVERIFY(window.contains(callout));
    QVERIFY(place.isBeside && !callout.intersects(target));
    QVERIFY(!callout.intersects(QRect(200, 60, 200, 200)));
    QCOMPARE(place.arrow, arrow);
}

HEADSCOPE_WINDOW_TEST(TstTour)
#include "tst_tour.moc"
