// links: ui/pages
#include "tests/core/runs/small_run.h"
#include "tests/support/test_program.h"
#include "tests/support/user_folder.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/lesson_fixture.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/head/distance_page.h"
#include "ui/pages/head/head_modes.h"
#include "ui/pages/head/head_page.h"
#include "ui/pages/overview/cross_page.h"
#include "ui/pages/overview/overview_modes.h"
#include "ui/pages/qk/origin_page.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/session/runs/training.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/settings_dialog.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/workspaces/page_header.h"
#include "ui/window/workspaces/rail.h"
#include "ui/window/workspaces/rail_list.h"
#include "ui/window/workspaces/rail_notes.h"
#include "ui/window/workspaces/workspace_switch.h"
#include "ui/window/workspaces/workspaces.h"

#include <QComboBox>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::shownTexts;
using headscope::ui::test::WindowFixture;

namespace {

struct Fixture : WindowFixture
{
    Fixture()
    {
        window->resize(1366, 768);
        if (!QTest::qWaitFor([this] { return isPainted(); }))
            qFatal("no image");
        QCoreApplication::processEvents();
    }

    void press(const QString& keys)
    {
        for (QAction* action : window->findChild<WindowActions*>()->all()) {
            if (action->shortcuts().contains(QKeySequence(keys)))
                return action->trigger();
        }
        qFatal("nothing has %s", qPrintable(keys));
    }

    QString frontPage() const { return window->workspaces().stack().currentWidget()->objectName(); }

    template<class View>
    View& view() const
    {
        return headscope::ui::test::partOf<View>(*window);
    }

    QStringList found(const QString& words)
    {
        press("Ctrl+Shift+P");
        auto& palette = view<CommandPalette>();
        palette.findChild<QLineEdit*>()->setText(words);
        const QStringList texts = shownTexts(palette);
        palette.hide();
        return texts;
    }
};

} // namespace

class TstWorkspaces : public QObject
{
    Q_OBJECT

private slots:

    void controlGoesToWorkspacesAndAltToTheirPages()
    {
        Fixture f;
        QCOMPARE(pageDescriptors().size(), std::size_t{24});
        for (const Workspace workspace : kWorkspaces) {
            f.press(QString("Ctrl+%1").arg(static_cast<int>(workspace) + 1));
            QCOMPARE(f.window->workspaces().workspace(), workspace);
            int number = 0;
            for (const PageDescriptor& page : pageDescriptors()) {
                if (workspaceOf(page.group) != workspace || number >= 9)
                    continue;
                const QString keys = pageShortcut(number++);
                QCOMPARE(keys, QString("Alt+%1").arg(number));
                f.press(keys);
                QCOMPARE(f.frontPage(), page.name);
                QCOMPARE(f.window->rail().currentPage(), page.name);
            }
        }
    }

    void theRailListsThePagesOfItsWorkspaceWithoutScrolling()
    {
        Fixture f;
        Rail& rail = f.window->rail();
        for (const Workspace workspace : kWorkspaces) {
            const auto buttons = f.view<WorkspaceSwitch>().findChildren<QToolButton*>();
            QTest::mouseClick(buttons[static_cast<int>(workspace)], Qt::LeftButton);
            QCoreApplication::processEvents();
            QStringList expected;
            QString group;
            for (const PageDescriptor& page : pageDescriptors()) {
                if (workspaceOf(page.group) != workspace)
                    continue;
                if (groupName(page.group) != group)
                    expected << (group = groupName(page.group));
                expected << page.title;
            }
            QStringList listed;
            for (int row = 0; row < rail.model()->rowCount(); ++row)
                listed << rail.model()->index(row, 0).data().toString();
            QCOMPARE(listed, expected);
            const QModelIndex last = rail.model()->index(rail.model()->rowCount() - 1, 0);
            QTRY_VERIFY(rail.visualRect(last).bottom() <= rail.viewport()->height());
            QVERIFY(rail.rowHeight() >= 24);
        }
    }

    void eachWorkspaceIsLeftAndFoundAtItsPage()
    {
        Fixture f;
        f.window->showPage("lens");
        f.press("Ctrl+3");
        QCOMPARE(f.frontPage(), QString("train"));
        f.window->showPage("runs");
        f.press("Ctrl+1");
        QCOMPARE(f.frontPage(), QString("lens"));
        f.press("Ctrl+3");
        QCOMPARE(f.frontPage(), QString("runs"));
        QCOMPARE(f.settings.text(Setting::Page), QString("runs"));
        QCOMPARE(f.settings.text(Setting::ExplorePage), QString("lens"));
        MainWindow next(f.session, f.settings, {});
        QCOMPARE(next.page(), QString("runs"));
    }

    void controlTabGoesBackAndForth()
    {
        Fixture f;
        f.window->showPage("distance");
        f.window->showPage("runs");
        f.press("Ctrl+Tab");
        QCOMPARE(f.window->page(), QString("distance"));
        f.press("Ctrl+Tab");
        QCOMPARE(f.window->page(), QString("runs"));
    }

    void formerPagesOpenAsModes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("page");
        QTest::newRow("cross") << "cross"
                               << "overview";
        QTest::newRow("distance") << "distance"
                                  << "head";
        QTest::newRow("origin") << "origin"
                                << "qk";
    }

    void formerPagesOpenAsModes()
    {
        QFETCH(QString, name);
        QFETCH(QString, page);
        Fixture f;
        f.window->showPage(name);
        QCOMPARE(f.window->page(), name);
        QCOMPARE(f.frontPage(), page);
        QVERIFY(headscope::ui::test::pageOf(*f.window, name).isVisible());
        QCOMPARE(f.window->workspaces().currentDescriptor().name, name);
        f.window->showPage("lens");
        f.window->workspaces().goTo(page); // as it was left
        QCOMPARE(f.window->page(), name);
        f.window->showPage(page);
        QCOMPARE(f.window->page(), page);
        QVERIFY(!headscope::ui::test::pageOf(*f.window, name).isVisible() || name == "distance");
        QVERIFY(placeNames().contains(name));
        f.settings.set(Setting::Page, name);
        MainWindow next(f.session, f.settings, {});
        QCOMPARE(next.page(), name);
    }

    void sessionsKeepTheNamesOfFormerPages()
    {
        Fixture f;
        SessionState old = f.window->files().state();
        old.page = "distance";
        old.pages = {{"distance", QJsonObject{{"axis", "doubling"}, {"distance", 1}}}};
        f.window->files().show(old);
        QTRY_COMPARE(f.window->page(), QString("distance"));
        QCOMPARE(f.view<DistancePage>().options().value("distance").toInt(), 1);
        const SessionState saved = f.window->files().state();
        QCOMPARE(saved.page, QString("distance"));
        QCOMPARE(saved.pages.value("distance"), QJsonValue(f.view<DistancePage>().options()));
        f.window->showPage("lens");
        const SessionState elsewhere = f.window->files().state();
        f.window->showPage("head");
        f.window->files().show(elsewhere);
        QTRY_COMPARE(f.window->page(), QString("lens"));
        f.window->workspaces().goTo("head");
        QCOMPARE(f.window->page(), QString("distance"));
    }

    void theHeaderNamesThePageAndItsQuestion()
    {
        Fixture f;
        auto& header = f.window->workspaces().header();
        for (const PageDescriptor& page : pageDescriptors()) {
            QVERIFY2(page.question.endsWith('?'), qPrintable(page.name));
            f.window->showPage(page.name);
            const auto labels = header.findChildren<TextLabel*>();
            QCOMPARE(labels[0]->text(), page.title);
            QCOMPARE(labels[1]->text(), page.question);
        }
        f.window->showPage("head");
        auto* modes = header.findChild<SegmentBar*>();
        QVERIFY(modes->isVisible());
        QTest::mouseClick(modes->findChildren<QToolButton*>()[1], Qt::LeftButton);
        QCOMPARE(f.window->page(), QString("distance"));
        QCOMPARE(header.findChildren<TextLabel*>()[0]->text(), QString("Head"));
        f.window->showPage("overview");
        QVERIFY(!modes->isVisible()); // one stack: no cross-attention
        f.window->showPage("cross");
        QVERIFY(modes->isVisible()); // or there would be no way back
    }

    void theDistanceChartIsBesideTheMapWhereThereIsRoom()
    {
        Fixture f;
        f.window->resize(1366, 768);
        f.window->showPage("head");
        QTRY_VERIFY(f.view<HeadModes>().hasSideChart());
        QVERIFY(f.view<HeadPage>().isVisible());
        QVERIFY(f.view<HeadPage>().isAncestorOf(&f.view<DistancePage>()));
        f.window->resize(1366, 1100);
        QTRY_VERIFY(!f.view<HeadModes>().hasSideChart());
        f.window->showPage("distance");
        QVERIFY(!f.view<HeadPage>().isVisible() && f.view<DistancePage>().isVisible());
    }

    void learnListsItsChaptersAndTrainTheLastRuns()
    {
        const headscope::test::Folder folder;
        const headscope::test::UserFolder data("XDG_DATA_HOME", folder.path("data"));
        Fixture f;
        lessonsOf(f.session).setLibrary(headscope::ui::test::sampleLibrary());
        QVERIFY(!f.window->workspaces().notes().isVisible());
        f.press("Ctrl+2");
        auto& list = childOf<RailList>(f.window->workspaces().notes());
        QTRY_VERIFY(list.isVisible());
        QCOMPARE(list.rows().front().title, QString("Attention"));
        QCOMPARE(list.rows().front().detail, QString("0/2"));
        const std::string first = lessonsOf(f.session).library().lessons().front().id;
        list.setFocus();
        QTest::keyClick(&list, Qt::Key_Down);
        QTest::keyClick(&list, Qt::Key_Return);
        QVERIFY(lessonsOf(f.session).isOpen());
        QCOMPARE(lessonsOf(f.session).lesson().id, first);
        lessonsOf(f.session).leave();
        {
            const auto path = f.session.training().library().folder() / "first";
            LiveRun run = LiveRun::create(headscope::test::smallTrainingConfig(),
                                          headscope::test::optionsFor(path));
            headscope::test::train(run, 12);
            run.save();
        }
        f.press("Ctrl+3");
        QTRY_VERIFY(!list.rows().empty() && list.rows().front().curve.size() > 1);
        QCOMPARE(list.rows().front().title, QString("first"));
        QTest::mouseClick(&list, Qt::LeftButton, Qt::NoModifier, QPoint(40, 10));
        QCOMPARE(f.window->page(), QString("runs"));
    }

    void thePaletteSaysWhatPagesAnswerAndFindsThemByOtherWords()
    {
        Fixture f;
        QVERIFY(f.found("predict so far").first().startsWith("Lens"));
        QVERIFY(f.found("logit lens").join('\n').contains("Lens   Alt+6"));
        QVERIFY(f.found("distance").contains("Head: Distance"));
        QVERIFY(f.found("origin").contains("Query \u00B7 Key: Origin"));
        QVERIFY(f.found("cross").contains("Overview: Cross"));
        QVERIFY(f.found("settings theme").contains("Settings: Theme"));
        QVERIFY(f.found("view reset").contains("Reset layout"));
        QCOMPARE(f.found("overview").first(), QString("Overview   Alt+1"));
        f.press("Ctrl+Shift+P");
        auto* field = f.view<CommandPalette>().findChild<QLineEdit*>();
        field->setText("settings device");
        QTest::keyClick(field, Qt::Key_Return);
        auto* dialog = f.window->findChild<SettingsDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        auto* focused = qobject_cast<QComboBox*>(dialog->focusWidget());
        QVERIFY(focused && focused->accessibleName() == "Device");
    }
};

HEADSCOPE_WINDOW_TEST(TstWorkspaces)
#include "tst_workspaces.moc"
