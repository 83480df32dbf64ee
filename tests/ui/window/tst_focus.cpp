// links: ui/pages
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/shared/changes/changes_bar.h"
#include "ui/pages/what_if/mask_picker.h"
#include "ui/widgets/controls/chip_row.h"
#include "ui/window/frame/settling.h"
#include "ui/window/workspaces/pages.h"

#include <QSet>
#include <QSpinBox>
#include <QToolButton>
#include <QUndoStack>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

QString nameOf(const QWidget& widget)
{
    return QStringLiteral("%1 \u201C%2\u201D")
        .arg(QLatin1String(widget.metaObject()->className()), widget.accessibleName());
}

/// A widget as it is on the screen, with the room of its focus ring.
QImage imageOf(const QWidget& window, const QWidget& widget)
{
    const QRect place(widget.mapTo(&window, QPoint()), widget.size());
    return const_cast<QWidget&>(window).grab(place.adjusted(-4, -4, 4, 4)).toImage();
}

} // namespace

/// The keyboard focus stays on the page while its parts come and go, and can be seen.
class TstFocus : public QObject
{
    Q_OBJECT

private slots:
    void undoOfAMaskKeepsTheFocusOnThePage_data();
    void undoOfAMaskKeepsTheFocusOnThePage();
    void everyTabStopShowsThatItHasTheKeyboard_data();
    void everyTabStopShowsThatItHasTheKeyboard();
};

void TstFocus::undoOfAMaskKeepsTheFocusOnThePage_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("page");
    for (const char* page : {"what-if"})
        for (const char* from : {"map", "mask", "window", "chips", "variant", "clear"})
            QTest::newRow(qPrintable(QStringLiteral("%1 of %2").arg(from, page)))
                << QString(from) << QString(page);
}

void TstFocus::undoOfAMaskKeepsTheFocusOnThePage()
{
    QFETCH(QString, from);
    QFETCH(QString, page);
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
    fixture.window->showPage(page);
    fixture.session.document().setMask({MaskChange::Kind::Window, 2, {}, 0});
    QTRY_VERIFY(fixture.isPainted());
    QWidget* body = fixture.window->centralWidget();
    auto& bar = *fixture.window->findChild<ChangesBar*>();
    QWidget* shown = fixture.window->findChild<Page*>(page);
    QWidget* start = nullptr;
    if (from == "map")
        start = shown->findChild<HeatmapWidget*>();
    else if (from == "mask" && page == "what-if")
        start = shown->findChild<MaskPicker*>()->findChild<QToolButton*>();
    else if (from == "window" && page == "what-if")
        start = shown->findChild<MaskPicker*>()->findChild<QSpinBox*>();
    else if (from == "chips")
        start = &childOf<ChipRow>(bar);
    else if (from == "variant")
        start = bar.findChild<QToolButton*>();
    else if (from == "clear")
        start = bar.findChildren<QPushButton*>().back();
    if (!start)
        QSKIP("no such part on this page");
    QTRY_VERIFY(start->isVisible());
    start->setFocus();
    QVERIFY(start->hasFocus());
    fixture.session.document().undoStack().undo();
    QTRY_VERIFY(fixture.isPainted());
    QCoreApplication::processEvents();
    const QWidget* focus = QApplication::focusWidget();
    QVERIFY2(focus && body->isAncestorOf(focus),
             focus ? focus->metaObject()->className() : "nothing has the focus");
}

void TstFocus::everyTabStopShowsThatItHasTheKeyboard_data()
{
    QTest::addColumn<QString>("page");
    for (const QString& page : placeNames())
        if (page != "your-lesson") // its list of steps is painted by the style
            QTest::newRow(qPrintable(page)) << page;
}

/// A stop that looks the same without the keyboard does nothing, or hides where the keys go.
void TstFocus::everyTabStopShowsThatItHasTheKeyboard()
{
    QFETCH(QString, page);
    WindowFixture fixture;
    MainWindow& window = *fixture.window;
    window.resize(1366, 768);
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.showPage(page);
    QTRY_VERIFY(fixture.isPainted() && window.isSettled());
    settleLayouts();
    window.sentence().setFocus(Qt::TabFocusReason);
    QStringList invisible;
    QSet<QWidget*> seen;
    for (QWidget* stop = QApplication::focusWidget(); stop && !seen.contains(stop);) {
        seen.insert(stop);
        const QImage with = imageOf(window, *stop);
        stop->clearFocus();
        if (with == imageOf(window, *stop))
            invisible << nameOf(*stop);
        stop->setFocus(Qt::TabFocusReason);
        // Parts may still come, and move the next stop out of what is visible.
        QTRY_VERIFY(fixture.isPainted() && window.isSettled());
        settleLayouts();
        QTest::keyClick(stop, Qt::Key_Tab);
        stop = QApplication::focusWidget();
    }
    QVERIFY(seen.size() > 3);
    QVERIFY2(invisible.isEmpty(), qPrintable(invisible.join(QStringLiteral(", "))));
}

HEADSCOPE_WINDOW_TEST(TstFocus)
#include "tst_focus.moc"
