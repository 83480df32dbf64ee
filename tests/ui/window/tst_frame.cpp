// labels: accessibility
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/inspector/inspector_page.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/token_strip.h"
#include "ui/window/actions/command_palette.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/settings_dialog.h"
#include "ui/window/frame/live_label.h"
#include "ui/window/frame/status_line.h"
#include "ui/window/lessons/tour.h"
#include "ui/window/workspaces/pages.h"
#include "ui/window/workspaces/rail.h"
#include "ui/window/workspaces/workspaces.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QToolBar>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::shownTexts;
using headscope::ui::test::WindowFixture;

namespace {

/// The named child, or the window itself.
QAction* actionFor(MainWindow& window, const QString& key)
{
    for (QAction* action : window.findChild<WindowActions*>()->all()) {
        if (action->shortcuts().contains(QKeySequence(key)))
            return action;
    }
    return nullptr;
}

/// Everything below `face` that can take the keyboard but says nothing about itself.
QStringList namelessIn(QAccessibleInterface* face, int depth = 0)
{
    QStringList nameless;
    constexpr int kDeepest = 24;
    for (int index = 0; face && depth < kDeepest && index < face->childCount(); ++index) {
        QAccessibleInterface* child = face->child(index);
        if (!child || child->state().invisible)
            continue;
        if (child->state().focusable && !child->state().disabled &&
            child->text(QAccessible::Name).isEmpty() && child->object() &&
            child->object()->isWidgetType())
            nameless << child->object()->metaObject()->className();
        if (child->role() != QAccessible::Table) // tens of thousands of cells
            nameless << namelessIn(child, depth + 1);
    }
    return nameless;
}

QStringList pageNames()
{
    QStringList names;
    for (const PageDescriptor& page : pageDescriptors())
        names << page.name;
    return names;
}

bool explains(const QWidget* widget)
{
    for (; widget; widget = widget->parentWidget()) {
        if (!widget->whatsThis().isEmpty())
            return true;
    }
    return false;
}

} // namespace

class TstFrame : public QObject
{
    Q_OBJECT

private slots:
    void everyPageAndControlOfTheFrameExplainsItself();
    void theAccessibleTreeNamesWhateverTakesTheKeyboard();
    void arrowsThatNobodyWantsWalkAlongTheTokens();
    void escapeFreesThePinnedPair();
    void undoSaysWhatItUndoes();
    void theNarrowWindowPutsTheInspectorOverThePage();
    void theRailFitsAllPagesIntoASmallScreen();
    void presenterModeHidesTheFrameAndEscapeLeavesIt();
    void settingsTakeEffectAtOnce();
    void theTourHasFiveStepsBesideRealWidgets();
    void theTourEndsWithEscape();
    void aTextThatIsCutIsCountedInFull();
    void pagesThatWereLeftTakeNoRoom();
    void theStatusNamesTheDeviceAndItsTooltipTheReason();
    void keysThatDoNotFitAreElided();
};

void TstFrame::everyPageAndControlOfTheFrameExplainsItself()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    headscope::ui::test::makeAllPages(*fixture.window);
    auto* pages = fixture.window->findChild<QStackedWidget*>();
    QCOMPARE(pages->count(), static_cast<int>(pageNames().size()));
    for (int index = 0; index < pages->count(); ++index)
        QVERIFY2(!pages->widget(index)->whatsThis().isEmpty(),
                 qPrintable(pages->widget(index)->objectName()));
    for (const QWidget* bar : fixture.window->findChildren<QToolBar*>()) {
        for (const QWidget* widget : bar->findChildren<QWidget*>()) {
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible())
                QVERIFY2(explains(widget), widget->metaObject()->className());
        }
    }
    for (const QWidget* dock : {static_cast<QWidget*>(&fixture.window->workspaces().side()),
                                static_cast<QWidget*>(fixture.window->findChild<InspectorPage*>())})
        QVERIFY(!dock->whatsThis().isEmpty());
}

void TstFrame::theAccessibleTreeNamesWhateverTakesTheKeyboard()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().setHeadOff(0, 0, true);
    for (const QString& name : pageNames()) {
        fixture.window->showPage(name);
        QTRY_VERIFY(fixture.isPainted());
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(fixture.window.get());
        QVERIFY(face && face->childCount() > 0);
        QCOMPARE(name + ": " + namelessIn(face).join(", "), name + ": ");
    }
}

void TstFrame::arrowsThatNobodyWantsWalkAlongTheTokens()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const TokenPair before = fixture.session.pair();
    QTest::keyClick(fixture.window.get(), Qt::Key_Left);
    QCOMPARE(fixture.session.pair().query, before.query - 1);
    QVERIFY(fixture.session.selection().pinned);
    fixture.session.view().selectPair(before.query, 1);
    QTest::keyClick(fixture.window.get(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(fixture.session.pair(), (TokenPair{before.query, 0}));
    QTest::keyClick(fixture.window.get(), Qt::Key_Left, Qt::ShiftModifier); // the first stays
    QCOMPARE(fixture.session.pair(), (TokenPair{before.query, 0}));
}

void TstFrame::escapeFreesThePinnedPair()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.view().selectPair(0, 0);
    QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
    QVERIFY(!fixture.session.selection().pinned);
    QCOMPARE(fixture.session.pair().query,
             static_cast<int>(fixture.session.document().tokens().size()) - 1);
}

void TstFrame::undoSaysWhatItUndoes()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.view().activateHead(1, 0);
    QTest::keyClick(fixture.window.get(), Qt::Key_Delete);
    QVERIFY(fixture.session.changes().isOff({1, 0}));
    QAction* undo = actionFor(*fixture.window, "Ctrl+Z");
    QVERIFY2(undo->text().contains("ablate head 1.0"), qPrintable(undo->text()));
    undo->trigger();
    QVERIFY(fixture.session.changes().empty());
    QVERIFY(actionFor(*fixture.window, "Ctrl+Shift+Z")->text().contains("ablate head 1.0"));
}

void TstFrame::theNarrowWindowPutsTheInspectorOverThePage()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.window->resize(1400, 800);
    const auto& inspector = childOf<InspectorPage>(*fixture.window);
    QTRY_VERIFY(inspector.isVisible());
    QVERIFY(!fixture.window->centralWidget()->isAncestorOf(&inspector));
    fixture.window->resize(1190, 800);
    QTRY_VERIFY(fixture.window->rail().isCompact());
    QVERIFY(!inspector.isVisible());
    QTRY_VERIFY(fixture.window->overview().width() > 1100);
    const int page = fixture.window->overview().width();
    actionFor(*fixture.window, "F6")->trigger();
    QVERIFY(inspector.isVisible());
    QVERIFY(fixture.window->centralWidget()->isAncestorOf(&inspector));
    QCOMPARE(fixture.window->overview().width(), page); // over the page, not beside it
    QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
    QVERIFY(!inspector.isVisible());
    fixture.window->resize(1400, 800);
    QTRY_VERIFY(inspector.isVisible()); // as it was before
}

void TstFrame::theRailFitsAllPagesIntoASmallScreen()
{
    Rail rail;
    rail.addGroup("Explore");
    for (int page = 0; page < 10; ++page)
        rail.addPage(QString::number(page), "Page", {});
    rail.addGroup("Model");
    for (int page = 10; page < 14; ++page)
        rail.addPage(QString::number(page), "Page", {});
    rail.resize(rail.width(), 900);
    rail.show();
    QVERIFY(QTest::qWaitForWindowExposed(&rail));
    const int roomy = rail.rowHeight();
    rail.resize(rail.width(), 400);
    QTRY_VERIFY(rail.rowHeight() < roomy);
    QVERIFY(rail.rowHeight() >= 24);
    const QModelIndex last = rail.model()->index(rail.model()->rowCount() - 1, 0);
    QTRY_VERIFY(rail.visualRect(last).bottom() <= rail.viewport()->height());
    const int narrow = rail.width();
    rail.addPage("long", "A title of many words", {});
    QVERIFY(rail.width() > narrow);
    const QFontMetrics bold(Theme::of(rail).bold(TextRole::Table));
    QVERIFY(rail.viewport()->width() > bold.horizontalAdvance("A title of many words"));
}

void TstFrame::presenterModeHidesTheFrameAndEscapeLeavesIt()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const QSignalSpy changed(fixture.window.get(), &MainWindow::presentingChanged);
    connect(fixture.window.get(), &MainWindow::presentingChanged, qApp,
            [](bool on) { applyTheme(*qApp, Theme::named(false, bodyFont(on ? 1.4 : 1.0))); });
    const QSize before = fixture.window->size();
    const auto* label = fixture.window->overview().findChild<TextLabel*>();
    const double points = label->font().pointSizeF();
    const QSize chip = fixture.window->strip().chipRect(1).size().toSize();
    actionFor(*fixture.window, "Shift+F11")->trigger();
    QVERIFY(!fixture.window->menuBar()->isVisible());
    QVERIFY(!fixture.window->rail().isVisible());
    QVERIFY(!fixture.window->findChild<StatusLine*>()->isVisible());
    QCOMPARE(changed.back().front().toBool(), true);
    QTRY_VERIFY(fixture.window->strip().chipRect(1).width() > 1.15 * chip.width());
    QTRY_COMPARE(label->font().pointSizeF(), 1.4 * points);
    QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
    QVERIFY(fixture.window->menuBar()->isVisible());
    QVERIFY(fixture.window->rail().isVisible());
    QCOMPARE(changed.back().front().toBool(), false);
    QTRY_COMPARE(fixture.window->size(), before); // larger type had asked for more room
}

void TstFrame::settingsTakeEffectAtOnce()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    actionFor(*fixture.window, "Ctrl+,")->trigger();
    auto* dialog = fixture.window->findChild<SettingsDialog*>();
    QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
    const auto choose = [dialog](const QString& name, const QString& value) {
        for (QComboBox* box : dialog->findChildren<QComboBox*>()) {
            if (box->accessibleName() != name)
                continue;
            const int index = box->findData(value);
            QVERIFY(index >= 0);
            box->setFocus();
            while (box->currentIndex() != index)
                QTest::keyClick(box, box->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
            return;
        }
        QFAIL(qPrintable(name));
    };
    choose("Theme", "dark");
    QCOMPARE(fixture.settings.text(Setting::Theme), QString("dark"));
    choose("Attention colours", displayName(MapName::Cividis));
    QCOMPARE(fixture.session.view().colourMap(), MapName::Cividis);
    choose("Reduced motion", "reduced");
    QCOMPARE(fixture.settings.text(Setting::Motion), QString("reduced"));
    choose("Language", "zh_CN");
    QCOMPARE(fixture.settings.text(Setting::Language), QString("zh_CN"));
    fixture.settings.addRecentFile("/some/file.txt");
    QPushButton* clear = nullptr;
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
        if (button->text() == "Clear list")
            clear = button;
    }
    QVERIFY(clear && clear->isEnabled());
    QTest::mouseClick(clear, Qt::LeftButton);
    QVERIFY(fixture.settings.value(Setting::RecentFiles).toStringList().isEmpty());
    QVERIFY(!clear->isEnabled());
}

void TstFrame::theTourHasFiveStepsBesideRealWidgets()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
    fixture.window->startTour();
    Tour& tour = *fixture.window->findChild<Tour*>();
    QVERIFY(fixture.settings.value(Setting::TourSeen).toBool());
    QCOMPARE(tour.stepCount(), 5);
    const auto& count = childOf<TextLabel>(tour, "count");
    for (int step = 0; step < 5; ++step) {
        QCOMPARE(count.text(), QString("%1 of 5").arg(step + 1));
        QVERIFY(tour.isVisible() && tour.target() && tour.target()->isVisible());
        QVERIFY(fixture.window->rect().contains(tour.geometry()));
        const QRect beside(tour.target()->mapTo(fixture.window.get(), QPoint()),
                           tour.target()->size());
        QVERIFY(tour.geometry().adjusted(-4, -4, 4, 4).intersects(beside));
        QTest::keyClick(QApplication::focusWidget(),
                        step == 0 || step % 2 ? Qt::Key_Return : Qt::Key_Right);
    }
    QVERIFY(!tour.isRunning() && !tour.isVisible());
}

void TstFrame::theTourEndsWithEscape()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
    fixture.window->startTour();
    Tour& tour = *fixture.window->findChild<Tour*>();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
    QCOMPARE(childOf<TextLabel>(tour, "count").text(), QString("1 of 5"));
    const QSignalSpy ended(&tour, &Tour::ended);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QCOMPARE(ended.size(), 1);
    QVERIFY(!tour.isVisible());
    fixture.window->startTour();
    QVERIFY(tour.isVisible());
    fixture.window->setPresenting(true); // it would point at what an audience does not see
    QCOMPARE(ended.size(), 2);
    QVERIFY(!tour.isVisible());
    fixture.window->setPresenting(false);
}

void TstFrame::aTextThatIsCutIsCountedInFull()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText(QString("the cat sat on the mat ").repeated(400));
    auto* live = fixture.window->findChild<LiveLabel*>();
    const auto& label = childOf<TextLabel>(*live);
    QTRY_VERIFY(label.text().endsWith("tokens") && label.text().contains(" of "));
    QTRY_VERIFY2(live->width() >= live->sizeHint().width(), qPrintable(label.text()));
}

void TstFrame::pagesThatWereLeftTakeNoRoom()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.window->resize(1366, 768);
    for (const char* page : {"heads", "arcs", "positions", "what-if", "overview"}) {
        fixture.window->showPage(page);
        QTRY_VERIFY(fixture.window->isSettled());
        QCoreApplication::processEvents();
        QCOMPARE(fixture.window->size(), QSize(1366, 768));
    }
    QVERIFY(fixture.window->findChild<InspectorPage*>()->isVisible());
}

void TstFrame::theStatusNamesTheDeviceAndItsTooltipTheReason()
{
    StatusLine status;
    status.setDevice("CPU: a device has not been measured yet");
    const auto labels = status.findChildren<QLabel*>();
    const auto named = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->accessibleName() == "Device";
    });
    QVERIFY(named != labels.end());
    QCOMPARE((*named)->text(), QString("CPU"));
    QCOMPARE((*named)->toolTip(), QString("CPU: a device has not been measured yet"));
}

void TstFrame::keysThatDoNotFitAreElided()
{
    StatusLine status;
    status.resize(300, 28);
    status.show();
    const QString keys =
        "Arrows move between cells, Enter opens one, Escape leaves it, Space plays";
    status.setHints(keys);
    QCoreApplication::processEvents();
    for (const QLabel* label : status.findChildren<QLabel*>()) {
        if (label->accessibleName() != "Keys")
            continue;
        QVERIFY2(label->text().startsWith("Arrows"), qPrintable(label->text()));
        QVERIFY(label->fontMetrics().horizontalAdvance(label->text()) <= label->width());
        QCOMPARE(label->toolTip(), keys);
        return;
    }
    QFAIL("no keys");
}

HEADSCOPE_WINDOW_TEST(TstFrame)
#include "tst_frame.moc"
