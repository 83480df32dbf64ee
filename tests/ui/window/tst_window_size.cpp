// links: ui/pages
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/overview/things_to_try_bar.h"
#include "ui/pages/runs/run_form_page.h"
#include "ui/pages/shared/changes/changes_bar.h"
#include "ui/session/samples.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/window/frame/settling.h"
#include "ui/window/frame/window_state.h"
#include "ui/window/workspaces/page_scroll.h"
#include "ui/window/workspaces/pages.h"

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

constexpr QSize kSmallest{960, 600};
constexpr QSize kSmallScreen{1366, 700}; // less a title bar and a panel

QStringList pageNames(MainWindow& window)
{
    headscope::ui::test::makeAllPages(window);
    QStringList names;
    for (const Page* page : window.findChildren<Page*>())
        names << page->objectName();
    return names;
}

/// Visible labels that are smaller than their text.
QStringList cutLabels(const QWidget& part)
{
    QStringList cut;
    for (const QLabel* label : part.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty() || label->visibleRegion().isEmpty())
            continue;
        const bool mayShrink = label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored ||
                               label->minimumWidth() == 1;
        const QSize needed = label->wordWrap() ? QSize(0, label->heightForWidth(label->width()))
                                               : QSize(mayShrink ? 0 : label->sizeHint().width(),
                                                       label->sizeHint().height());
        if (label->width() < needed.width() || label->height() < needed.height() - 1) // rounded
            cut << QStringLiteral("\u201C%1\u201D is %2 x %3, needs %4 x %5")
                       .arg(label->text().left(60))
                       .arg(label->width())
                       .arg(label->height())
                       .arg(needed.width())
                       .arg(needed.height());
    }
    return cut;
}

void showAt(WindowFixture& fixture, const QString& page, QSize size)
{
    fixture.window->resize(size);
    fixture.window->showPage(page);
    for (int round = 0; round < 3; ++round) {
        QCoreApplication::processEvents();
        settleLayouts();
    }
}

} // namespace

class TstWindowSize : public QObject
{
    Q_OBJECT

private slots:
    void noPageForcesTheWindowToGrow();
    void noPageScrollsOnASmallScreen();
    void theFirstAblationDoesNotMakeOverviewScroll();
    void theLearningRateOfANewRunIsWhole();
    void theFirstChangeMovesNothingOnWhatIf();
    void noLabelIsCut_data();
    void noLabelIsCut();
    void docksAreAsWideAsTheirContent();
    void aRememberedSizeFitsTheScreen_data();
    void aRememberedSizeFitsTheScreen();
};

void TstWindowSize::noPageForcesTheWindowToGrow()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QTest::failOnWarning(QRegularExpression("Negative sizes"));
    fixture.session.document().setHeadOff(0, 0, true); // the bar of changes needs room too
    const QStringList names = pageNames(*fixture.window);
    QVERIFY(names.size() > 20);
    for (const QString& name : names) {
        showAt(fixture, name, kSmallest);
        const QSize needed = fixture.window->minimumSizeHint();
        const QString text =
            QStringLiteral("%1 needs %2 x %3").arg(name).arg(needed.width()).arg(needed.height());
        QVERIFY2(needed.width() <= kSmallest.width(), qPrintable(text));
        QVERIFY2(needed.height() <= kSmallest.height(), qPrintable(text));
        QCOMPARE(fixture.window->size(), kSmallest);
    }
    QCOMPARE(fixture.window->minimumSize(), kSmallest);
}

void TstWindowSize::noPageScrollsOnASmallScreen()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const auto* scroll = fixture.window->findChild<PageScroll*>();
    QStringList scrolling;
    for (const QString& name : pageNames(*fixture.window)) {
        showAt(fixture, name, kSmallScreen);
        const QSize page = scroll->widget()->minimumSizeHint();
        const QSize room = scroll->maximumViewportSize();
        if (page.width() > room.width() || page.height() > room.height())
            scrolling << QStringLiteral("%1: %2 x %3 in %4 x %5")
                             .arg(name)
                             .arg(page.width())
                             .arg(page.height())
                             .arg(room.width())
                             .arg(room.height());
    }
    QVERIFY2(scrolling.isEmpty(), qPrintable(scrolling.join("\n")));
}

void TstWindowSize::theFirstAblationDoesNotMakeOverviewScroll()
{
    WindowFixture fixture;
    fixture.session.document().replaceText(sampleSentence("tiny"));
    showAt(fixture, "overview", kSmallScreen);
    const auto* things = fixture.window->findChild<ThingsToTryBar*>();
    QTRY_VERIFY(things->isVisible());
    QTRY_VERIFY(things->button(ThingToTry::AblateHead).isEnabled());
    things->button(ThingToTry::AblateHead).click();
    QTRY_VERIFY(fixture.session.traceB());
    showAt(fixture, "overview", kSmallScreen);
    QVERIFY(things->isVisible());
    const auto* scroll = fixture.window->findChild<PageScroll*>();
    const QSize page = scroll->widget()->minimumSizeHint();
    const QSize room = scroll->maximumViewportSize();
    QVERIFY2(page.width() <= room.width() && page.height() <= room.height(),
             qPrintable(QStringLiteral("%1 x %2 in %3 x %4")
                            .arg(page.width())
                            .arg(page.height())
                            .arg(room.width())
                            .arg(room.height())));
}

void TstWindowSize::theLearningRateOfANewRunIsWhole()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    showAt(fixture, "new-run", kSmallScreen);
    const auto& page = *fixture.window->findChild<RunFormPage*>();
    auto& chart = childOf<LineChart>(page);
    const auto isEstimated = [&page] {
        for (const QLabel* label : page.findChildren<QLabel*>())
            if (label->text().contains("per step"))
                return true;
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isEstimated(), 30'000); // its text is the longest
    showAt(fixture, "new-run", kSmallScreen);
    const QRect place(chart.mapTo(&page, QPoint()), chart.size());
    QVERIFY2(page.rect().contains(place), qPrintable(QString::number(place.bottom())));
    QVERIFY(place.height() >= 88);
}

void TstWindowSize::theFirstChangeMovesNothingOnWhatIf()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    showAt(fixture, "what-if", kSmallScreen);
    const auto& page = *fixture.window->findChild<WhatIfPage*>();
    QTRY_VERIFY(!childOf<HeatmapWidget>(page, "mapB").content().matrix.isEmpty());
    const QPoint corner = page.mapTo(fixture.window.get(), QPoint());
    const QRectF cell = childOf<HeatmapWidget>(page, "mapB").cellRect({2, 1});
    QVERIFY(cell.width() >= 14.0);
    for (const bool changed : {true, false}) {
        fixture.session.document().setHeadOff(0, 0, changed);
        QTRY_VERIFY(fixture.isPainted() && fixture.window->isSettled());
        showAt(fixture, "what-if", kSmallScreen);
        QCOMPARE(page.mapTo(fixture.window.get(), QPoint()), corner);
        QCOMPARE(childOf<HeatmapWidget>(page, "mapB").cellRect({2, 1}), cell);
    }
    showAt(fixture, "overview", kSmallScreen);
    QVERIFY(!fixture.window->findChild<ChangesBar*>()->isVisible());
}

void TstWindowSize::noLabelIsCut_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("smallest") << kSmallest;
    QTest::newRow("small screen") << kSmallScreen;
}

void TstWindowSize::noLabelIsCut()
{
    QFETCH(QSize, size);
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QStringList cut;
    for (const QString& name : placeNames()) {
        showAt(fixture, name, size);
        QTRY_VERIFY(fixture.isPainted() && fixture.window->isSettled());
        showAt(fixture, name, size);
        for (const QString& label : cutLabels(*fixture.window))
            cut << name + QStringLiteral(": ") + label;
    }
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join("\n")));
}

/// Dragging a separator would only widen margins, and a reset layout would keep them.
void TstWindowSize::docksAreAsWideAsTheirContent()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    showAt(fixture, "overview", {1440, 900});
    for (const char* name : {"rail", "inspector"}) {
        auto* dock = fixture.window->findChild<QDockWidget*>(name);
        QVERIFY(dock->isVisible());
        const int width = dock->width();
        fixture.window->resizeDocks({dock}, {width + 200}, Qt::Horizontal);
        showAt(fixture, "overview", {1440, 900});
        QCOMPARE(dock->width(), width);
    }
}

void TstWindowSize::aRememberedSizeFitsTheScreen_data()
{
    QTest::addColumn<QSize>("remembered");
    QTest::addColumn<QSize>("screen");
    QTest::addColumn<QSize>("shown");
    QTest::newRow("it fits") << QSize(1200, 700) << QSize(1366, 768) << QSize(1200, 700);
    QTest::newRow("too wide") << QSize(1359, 600) << QSize(1366, 768) << QSize(1350, 600);
    QTest::newRow("too high") << QSize(1000, 761) << QSize(1366, 768) << QSize(1000, 712);
    QTest::newRow("another screen") << QSize(2718, 1400) << QSize(1366, 728) << QSize(1350, 672);
}

void TstWindowSize::aRememberedSizeFitsTheScreen()
{
    QFETCH(QSize, remembered);
    QFETCH(QSize, screen);
    QFETCH(QSize, shown);
    QCOMPARE(WindowState::fitting(remembered, screen), shown);
}

HEADSCOPE_WINDOW_TEST(TstWindowSize)
#include "tst_window_size.moc"
