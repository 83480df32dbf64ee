// links: ui/pages
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/lesson_fixture.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/arcs/arcs_page.h"
#include "ui/pages/example/example_options.h"
#include "ui/pages/example/example_page.h"
#include "ui/pages/head/distance_page.h"
#include "ui/pages/lens/lens_page.h"
#include "ui/pages/qk/origin_page.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/session/session_file.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/workspaces/page_header.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::mapDifference;
using headscope::ui::test::partOf;
using headscope::ui::test::WindowFixture;

namespace {

/// Options that a page would write otherwise: an unknown key, and a value that it does not accept.
const QJsonObject kArcs{{"mass", 0.25}, {"side", "key"}, {"later", QJsonArray{1, 2.5, "x"}}};
const QJsonObject kDistance{{"axis", "doubling"}, {"distance", 1}, {"later", true}};

QStringList madePages(MainWindow& window)
{
    const PageStack& pages = window.workspaces().stack();
    QStringList names;
    for (const PageDescriptor& page : pages.descriptors()) {
        if (pages.findChild<Page*>(page.name, Qt::FindDirectChildrenOnly))
            names << page.name;
    }
    return names;
}

QByteArray bytesOf(const QJsonValue& value)
{
    return QJsonDocument(value.toObject()).toJson();
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void trigger(const MainWindow& window, const QString& id)
{
    window.findChild<WindowActions*>()->action(id).trigger();
}

/// Widgets that Tab reaches, in its order, beginning at the sentence.
QWidgetList tabStops(MainWindow& window)
{
    window.sentence().setFocus(Qt::TabFocusReason);
    QWidgetList stops;
    for (QWidget* stop = QApplication::focusWidget(); stop && !stops.contains(stop);) {
        stops << stop;
        QTest::keyClick(stop, Qt::Key_Tab);
        stop = QApplication::focusWidget();
    }
    return stops;
}

} // namespace

/// A page is made on its first visit, and is then as if it had been there from the start.
class TstFirstVisit : public QObject
{
    Q_OBJECT

private slots:

    void onlyThePageInFrontIsMadeAtTheStart()
    {
        WindowFixture first;
        QTRY_VERIFY(first.isPainted());
        QCOMPARE(madePages(*first.window), QStringList("overview"));
        first.settings.set(Setting::Page, "distance"); // a mode
        MainWindow next(first.session, first.settings, {});
        QCOMPARE(next.page(), QString("distance"));
        QCOMPARE(madePages(next), QStringList("head"));
    }

    void aVisitMakesOnePage()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        fixture.window->showPage("arcs");
        QCOMPARE(madePages(*fixture.window), QStringList({"overview", "arcs"}));
        const PageStack& pages = fixture.window->workspaces().stack();
        const auto& page = childOf<Page>(pages, "arcs");
        fixture.window->showPage("overview");
        fixture.window->showPage("arcs");
        QCOMPARE(&childOf<Page>(pages, "arcs"), &page);
    }

    void optionsOfUnvisitedPagesAreWrittenBackToTheByte()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        SessionState given = fixture.window->files().state();
        given.page = "lens";
        given.pages = {{"arcs", kArcs}, {"distance", kDistance}};
        QTemporaryDir folder;
        const QString first = folder.filePath("first.hscope");
        saveSession(given, first.toStdString());
        fixture.window->openPath(first);
        QTRY_COMPARE(fixture.window->page(), QString("lens"));
        QCOMPARE(madePages(*fixture.window), QStringList({"overview", "lens"}));
        const QString second = folder.filePath("second.hscope");
        fixture.window->files().saveSessionTo(second);
        const QJsonObject saved = loadSession(second.toStdString()).pages;
        QCOMPARE(bytesOf(saved.value("arcs")), bytesOf(kArcs));
        QCOMPARE(bytesOf(saved.value("distance")), bytesOf(kDistance));

        WindowFixture other; // and the whole file, in a window that visits the same pages
        QTRY_VERIFY(other.isPainted());
        other.window->openPath(second);
        QTRY_COMPARE(other.window->page(), QString("lens"));
        const QString third = folder.filePath("third.hscope");
        other.window->files().saveSessionTo(third);
        QVERIFY(!contentOf(second).isEmpty());
        QCOMPARE(contentOf(third), contentOf(second));
    }

    void aVisitTakesTheStoredOptions()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        fixture.window->workspaces().stack().setOptions({{"arcs", kArcs}, {"distance", kDistance}});
        fixture.window->showPage("arcs");
        QCOMPARE(partOf<ArcsPage>(*fixture.window).options().value("side").toString(),
                 QString("key"));
        fixture.window->showPage("head");
        QCOMPARE(partOf<DistancePage>(*fixture.window).options().value("distance").toInt(), 1);
    }

    /// A session written before a page was visited returns it to its first options.
    void aSessionFromBeforeTheVisitTakesThePageBack()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        const SessionState before = fixture.window->files().state();
        fixture.window->showPage("arcs");
        auto& arcs = partOf<ArcsPage>(*fixture.window);
        const QJsonObject first = arcs.options();
        SessionState changed = before;
        changed.pages = {{"arcs", kArcs}};
        fixture.window->files().show(changed);
        QTRY_VERIFY(arcs.options() != first);
        fixture.window->files().show(before);
        QTRY_COMPARE(arcs.options(), first);
    }

    void aNewerScaleWinsOverAStoredOne()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        PageStack& pages = fixture.window->workspaces().stack();
        pages.setOptions({{"head", QJsonObject{{"scale", "row"}, {"later", 1}}}});
        fixture.settings.set(Setting::Scale, "log");
        const QJsonObject stored = pages.options().value("head").toObject();
        QCOMPARE(stored.value("scale").toString(), QString("log"));
        QCOMPARE(stored.value("later").toInt(), 1);
    }

    void anOpenLessonOfASessionOpensAtOnce()
    {
        WindowFixture fixture;
        lessonsOf(fixture.session).setLibrary(headscope::ui::test::sampleLibrary());
        QTRY_VERIFY(fixture.isPainted());
        fixture.window->workspaces().stack().setOptions(
            {{"lessons", QJsonObject{{"lesson", "scores"}, {"step", 1}}}});
        QVERIFY(lessonsOf(fixture.session).isOpen());
        QCOMPARE(lessonsOf(fixture.session).step(), 1);
    }

    void anUnvisitedPageShowsThePresentTrace()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        fixture.session.document().replaceText("the cat sat on the mat");
        fixture.session.document().setHeadOff(0, 1, true);
        fixture.session.view().activateHead(1, 0);
        QTRY_VERIFY(fixture.isPainted() && fixture.session.traceB());
        Interventions off;
        off.ablatedHeads = {{0, 1}};
        const TracePtr own = fixture.ownTrace("the cat sat on the mat", off);
        fixture.window->showPage("what-if");
        const HeatmapMatrix& shown =
            childOf<HeatmapWidget>(partOf<WhatIfPage>(*fixture.window), "mapB").content().matrix;
        QTRY_VERIFY(mapDifference(shown, *own, 1, 0) <= 1e-6);
    }

    void jumpsReachUnvisitedPages()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        MainWindow& window = *fixture.window;
        trigger(window, "go.origin");
        QCOMPARE(window.page(), QString("origin"));
        const auto& origin = partOf<OriginPage>(window);
        QTRY_VERIFY(origin.derivation().agrees() && origin.derivation().recorded > 0.0);
        trigger(window, "go.workHead");
        QCOMPARE(window.page(), QString("example"));
        QCOMPARE(partOf<ExamplePage>(window).options().value("example").toString(),
                 QLatin1String(kYourSentence));
        trigger(window, "page.lens");
        QCOMPARE(window.page(), QString("lens"));
        trigger(window, "training.newRun");
        QCOMPARE(window.page(), QString("train"));
    }

    void thingsToTryLeadToTheOverviewFromAnotherFirstPage()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        fixture.settings.set(Setting::Page, "lens");
        MainWindow next(fixture.session, fixture.settings, {});
        QCOMPARE(next.page(), QString("lens"));
        trigger(next, "help.things");
        QCOMPARE(next.page(), QString("overview"));
    }

    void aThemeFromBeforeTheVisitIsThePages()
    {
        const auto shown = [](bool visitedBefore) {
            WindowFixture fixture;
            fixture.window->resize(1366, 768);
            if (!QTest::qWaitFor([&] { return fixture.isPainted(); }))
                qFatal("no image");
            if (visitedBefore)
                fixture.window->showPage("positions");
            fixture.window->showPage("overview");
            applyTheme(*qApp, Theme::named(true, bodyFont(1.2)));
            QCoreApplication::processEvents();
            fixture.window->showPage("positions");
            if (!QTest::qWaitFor([&] { return fixture.window->isSettled(); }))
                qFatal("not settled");
            QCoreApplication::processEvents();
            return fixture.window->workspaces().current().grab().toImage();
        };
        const QImage visited = shown(true);
        const QImage unvisited = shown(false);
        QVERIFY(visited.pixelColor(2, 2).lightness() < 128);
        QCOMPARE(unvisited, visited);
    }

    void tabVisitsTheStopsOfANewPageTogether()
    {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1600, 1000);
        QTRY_VERIFY(fixture.isPainted());
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.showPage("lens");
        QTRY_VERIFY(fixture.isPainted() && window.isSettled());
        const auto& page = partOf<LensPage>(window);
        const auto& header = partOf<PageHeader>(window);
        const QWidgetList stops = tabStops(window);
        const auto ends = [&stops](const QWidget& part) {
            std::pair<int, int> found{-1, -1};
            for (int at = 0; at < stops.size(); ++at) {
                if (part.isAncestorOf(stops[at]))
                    found = {found.first < 0 ? at : found.first, at};
            }
            return found;
        };
        QVERIFY(ends(page).first > 0);
        QVERIFY(ends(header).second < ends(page).first);
        for (int at = ends(page).first; at <= ends(page).second; ++at)
            QVERIFY(page.isAncestorOf(stops[at]));
    }
};

HEADSCOPE_WINDOW_TEST(TstFirstVisit)
#include "tst_first_visit.moc"
