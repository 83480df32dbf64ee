#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/failing_attention.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/inspector/inspector_page.h"
#include "ui/widgets/text/token_strip.h"
#include "ui/window/actions/command_palette.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/window_texts.h"

#include <QAccessible>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::shownTexts;
using headscope::ui::test::WindowFixture;

namespace {

QString describeWidget(const QWidget& widget)
{
    return QString("%1 %2").arg(widget.metaObject()->className(), widget.objectName());
}

/// Everything that Tab or a click can reach and a screen reader would call nothing.
QStringList namelessWidgets(QWidget& window)
{
    QStringList nameless;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || !widget->isEnabled())
            continue;
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
        if (!face || face->text(QAccessible::Name).isEmpty())
            nameless << describeWidget(*widget);
    }
    return nameless;
}

QAction* actionWith(const MainWindow& window, const QKeySequence& key)
{
    for (QAction* action : window.findChild<WindowActions*>()->all()) {
        if (action->shortcuts().contains(key))
            return action;
    }
    return nullptr;
}

} // namespace

class TstMainWindow : public QObject
{
    Q_OBJECT

private slots:
    void nothingFocusableIsNameless_data();
    void nothingFocusableIsNameless();
    void theThemeReachesThePage_data();
    void theThemeReachesThePage();
    void pageKeysMoveThroughLayersAndHeads();
    void escapeLeavesTheSentenceAndArrowsMoveTheCell();
    void switchingAHeadOffOpensWhatIf();
    void theWindowMaskIsTheModelsOwn();
    void aBrokenModelIsSaidAndThePictureStays();
    void aFailingDeviceIsSaidAndThePictureStays();
    void theLayoutIsRemembered();
    void aTextFileCanBeDropped();
    void anUnreadableFileIsSaid();
    void thePaletteFindsHeadsAndCommands();
    void everyShortcutIsUsedOnce();
    void everyActionDoesSomething();
    void anEmptyTextOffersTheSample();
    void valuesAreCopiedInFull();
    void theSmallestWindowHoldsAllPages();
};

void TstMainWindow::nothingFocusableIsNameless_data()
{
    QTest::addColumn<QString>("page");
    for (const char* page : {"overview", "what-if", "positions"})
        QTest::newRow(page) << page;
}

void TstMainWindow::nothingFocusableIsNameless()
{
    QFETCH(QString, page);
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().setMask({MaskChange::Kind::Window, 3, {}, 0});
    fixture.window->messages().show(MessageKind::Error, "Something went wrong.", "Do this");
    fixture.window->showPage(page);
    QTRY_VERIFY(fixture.isPainted());
    QCOMPARE(namelessWidgets(*fixture.window).join(", "), QString());
}

void TstMainWindow::theThemeReachesThePage_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TstMainWindow::theThemeReachesThePage()
{
    QFETCH(bool, dark);
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const Theme theme = Theme::named(dark, bodyFont());
    applyTheme(*qApp, theme);
    const QImage image = fixture.window->grab().toImage();
    const double ratio = image.devicePixelRatio();
    const auto colourAt = [&](QWidget& widget, QPoint place) {
        const QPoint point = widget.mapTo(fixture.window.get(), place);
        return image.pixelColor(QPoint(qRound(point.x() * ratio), qRound(point.y() * ratio)));
    };
    QWidget& page = fixture.window->overview();
    QCOMPARE(colourAt(page, {4, page.height() - 4}), theme.surface);
    QWidget& inspector = *fixture.window->findChild<InspectorPage*>();
    QCOMPARE(colourAt(inspector, {4, inspector.height() - 4}), theme.window);
}

void TstMainWindow::pageKeysMoveThroughLayersAndHeads()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
    QWidget* field = &fixture.window->sentence(); // also while typing
    QTest::keyClick(field, Qt::Key_PageDown);
    QCOMPARE(fixture.session.selection().layer, 1);
    QTest::keyClick(field, Qt::Key_PageDown, Qt::ShiftModifier);
    QCOMPARE(fixture.session.selection().head, 1);
    QTest::keyClick(field, Qt::Key_PageUp);
    QCOMPARE(fixture.session.selection().layer, 0);
    QTest::keyClick(field, Qt::Key_PageUp, Qt::ShiftModifier);
    QCOMPARE(fixture.session.selection().head, 0);
}

void TstMainWindow::escapeLeavesTheSentenceAndArrowsMoveTheCell()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
    fixture.session.document().replaceText("the cat sat");
    QTRY_VERIFY(fixture.isPainted());
    QTest::keyClick(&fixture.window->sentence(), Qt::Key_Escape);
    QWidget* map = QApplication::focusWidget();
    QVERIFY(qobject_cast<HeatmapWidget*>(map));
    const TokenPair before = fixture.session.pair();
    QTest::keyClick(map, Qt::Key_Up);
    QCOMPARE(fixture.session.pair().query, before.query - 1);
    QVERIFY(fixture.session.selection().pinned);
    QTest::keyClick(map, Qt::Key_L, Qt::ControlModifier);
    QVERIFY(fixture.window->sentence().hasFocus());
}

void TstMainWindow::switchingAHeadOffOpensWhatIf()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
    const auto labels = fixture.window->findChild<InspectorPage*>()->findChildren<QLabel*>();
    const auto link = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->text().contains("href=\"off\"");
    });
    QVERIFY(link != labels.end());
    emit(*link)->linkActivated("off");
    QVERIFY(fixture.session.changes().isOff({0, 0}));
    QCOMPARE(fixture.window->page(), QString("what-if"));
    QTRY_VERIFY(fixture.isPainted() && fixture.session.traceB());
    Interventions off;
    off.ablatedHeads = {{0, 0}};
    const TracePtr own = fixture.ownTrace(fixture.session.text(), off);
    fixture.session.view().activateHead(1, 0);
    QTRY_VERIFY(
        headscope::ui::test::mapDifference(
            childOf<HeatmapWidget>(headscope::ui::test::partOf<WhatIfPage>(*fixture.window), "mapB")
                .content()
                .matrix,
            *own, 1, 0) <= 1e-6);
    QTest::keyClick(fixture.window.get(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(fixture.session.changes().empty());
}

void TstMainWindow::theWindowMaskIsTheModelsOwn()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText("the cat sat on the mat");
    fixture.window->showPage("what-if");
    fixture.session.document().setMask({MaskChange::Kind::Window, 2, {}, 0});
    QTRY_VERIFY(fixture.isPainted() && fixture.session.traceB());
    Interventions window;
    window.mask = AttentionMask{};
    window.mask->causal = true;
    window.mask->window = 2;
    const TracePtr own = fixture.ownTrace("the cat sat on the mat", window);
    const WhatIfPage& page = headscope::ui::test::partOf<WhatIfPage>(*fixture.window);
    QTRY_VERIFY(headscope::ui::test::mapDifference(
                    childOf<HeatmapWidget>(page, "mapB").content().matrix, *own, 0, 0) <= 1e-6);
    const HeatmapMatrix& a = childOf<HeatmapWidget>(page, "mapA").content().matrix;
    const HeatmapMatrix& b = childOf<HeatmapWidget>(page, "mapB").content().matrix;
    const HeatmapMatrix& difference =
        page.findChild<HeatmapWidget*>("difference")->content().matrix;
    const HeatmapCell cell{a.rows - 1, 0};
    QCOMPARE(difference.at(cell), b.at(cell) - a.at(cell));
    QCOMPARE(b.at(cell), 0.0F);
    QVERIFY(a.at(cell) > 0.0F);
}

void TstMainWindow::aBrokenModelIsSaidAndThePictureStays()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const TracePtr before = fixture.session.traceA();
    fixture.window->openPath("/somewhere/broken.safetensors");
    QTRY_VERIFY(fixture.window->messages().isVisible());
    QVERIFY(fixture.window->messages().sentence().contains("this is no checkpoint"));
    QCOMPARE(fixture.session.traceA(), before);
    QVERIFY(!childOf<HeatmapWidget>(fixture.window->overview()).content().matrix.isEmpty());
}

void TstMainWindow::aFailingDeviceIsSaidAndThePictureStays()
{
    BackendRegistry registry;
    DeviceFacts facts;
    facts.id = "opencl:0";
    facts.name = "paper";
    registry.add({facts, [] { return std::make_unique<headscope::test::FailingAttention>(0); }});
    WindowFixture fixture(registry, "opencl:0");
    QTRY_VERIFY(fixture.isPainted());
    QTRY_VERIFY(fixture.window->messages().isVisible());
    QVERIFY2(fixture.window->messages().sentence().contains("clEnqueueNDRangeKernel"),
             qPrintable(fixture.window->messages().sentence()));
    QTRY_VERIFY(deviceText(fixture.session).contains("failed"));
    QTRY_VERIFY(headscope::ui::test::mapDifference(
                    childOf<HeatmapWidget>(fixture.window->overview()).content().matrix,
                    *fixture.ownTrace(fixture.session.text()), 0, 0) <= 1e-6);
}

void TstMainWindow::theLayoutIsRemembered()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("settings.ini");
    {
        Settings settings(path);
        Session session({}, headscope::ui::test::openTiny);
        session.document().replaceText("the sentence");
        MainWindow window(session, settings, {});
        window.show();
        window.resize(1400, 850);
        window.showPage("what-if");
        window.close();
    }
    Settings settings(path);
    Session session({}, headscope::ui::test::openTiny);
    MainWindow window(session, settings, {});
    QCOMPARE(window.page(), QString("what-if"));
    QCOMPARE(settings.text(Setting::Sentence), QString("the sentence"));
    QVERIFY(!settings.value(Setting::WindowState).toByteArray().isEmpty());
    window.resetLayout();
    QCOMPARE(window.page(), QString("overview"));
    QVERIFY(settings.value(Setting::WindowState).toByteArray().isEmpty());
}

void TstMainWindow::aTextFileCanBeDropped()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const QTemporaryDir folder;
    QFile file(folder.filePath("text.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("the \xFF\xC3\xA9 mat");
    file.close();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file.fileName())});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(fixture.window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(fixture.window.get(), &drop);
    QCOMPARE(fixture.session.text(), QString::fromUtf8("the \xEF\xBF\xBD\xC3\xA9 mat"));
    QTRY_VERIFY(fixture.isPainted());
    QCOMPARE(fixture.settings.value(Setting::RecentFiles).toStringList().value(0), file.fileName());
}

void TstMainWindow::anUnreadableFileIsSaid()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.window->openPath("/no/such/file.txt");
    QVERIFY(fixture.window->messages().isVisible());
    QVERIFY(fixture.window->messages().sentence().contains("/no/such/file.txt"));
}

void TstMainWindow::thePaletteFindsHeadsAndCommands()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QAction* open = actionWith(*fixture.window, QKeySequence("Ctrl+Shift+P"));
    QVERIFY(open);
    open->trigger();
    CommandPalette& palette = *fixture.window->findChild<CommandPalette*>();
    QVERIFY(palette.isVisible());
    auto* field = palette.findChild<QLineEdit*>();
    field->setText("head 1 layer 1");
    QCOMPARE(shownTexts(palette), QStringList{"layer 1 head 1   1.1"});
    field->setText("head 2.4");
    QVERIFY(shownTexts(palette).isEmpty()); // two layers of two heads
    field->setText("ctrl+E");
    QCOMPARE(shownTexts(palette).size(), 1);
    field->setText("head 1.1"); // as heads are called everywhere
    QCOMPARE(shownTexts(palette), QStringList{"layer 1 head 1   1.1"});
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(fixture.session.selection().layer, 1);
    QCOMPARE(fixture.session.selection().head, 1);
    QVERIFY(!palette.isVisible());
}

void TstMainWindow::everyShortcutIsUsedOnce()
{
    WindowFixture fixture;
    QStringList seen;
    for (const QAction* action : fixture.window->findChild<WindowActions*>()->all()) {
        QVERIFY2(!action->text().isEmpty(), "an action without a text");
        for (const QKeySequence& key : action->shortcuts()) {
            QVERIFY2(!seen.contains(key.toString()), qPrintable(key.toString()));
            seen << key.toString();
        }
    }
    QVERIFY(seen.contains("Ctrl+Q"));
}

void TstMainWindow::everyActionDoesSomething()
{
    WindowFixture fixture;
    const QSet<QString>& idle = fixture.window->findChild<WindowActions*>()->idle();
    QCOMPARE(QStringList(idle.begin(), idle.end()), QStringList());
    QVERIFY_EXCEPTION_THROWN(fixture.window->findChild<WindowActions*>()->action("no.such"), Error);
}

void TstMainWindow::anEmptyTextOffersTheSample()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText({});
    QTRY_VERIFY(fixture.isPainted());
    QTRY_VERIFY(childOf<HeatmapWidget>(fixture.window->overview()).content().matrix.isEmpty());
    QPushButton* sample = nullptr;
    for (QPushButton* button : fixture.window->overview().findChildren<QPushButton*>())
        if (button->isVisible())
            sample = button;
    QVERIFY(sample);
    QTest::mouseClick(sample, Qt::LeftButton);
    QVERIFY(!fixture.session.text().isEmpty());
    QTRY_VERIFY(!childOf<HeatmapWidget>(fixture.window->overview()).content().matrix.isEmpty());
}

void TstMainWindow::valuesAreCopiedInFull()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText("the cat");
    QTRY_VERIFY(fixture.isPainted());
    fixture.window->showPage("head");
    fixture.window->files().copyNumbers();
    const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    const auto pattern = fixture.session.traceA()->find({Site::Pattern, 0});
    QCOMPARE(lines.size(), static_cast<int>(pattern->shape()[1]) + 1);
    const QStringList last = lines.back().split('\t');
    QCOMPARE(last.back().toFloat(),
             pattern->view()[0](pattern->shape()[1] - 1, pattern->shape()[2] - 1));
}

void TstMainWindow::theSmallestWindowHoldsAllPages()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    for (const char* page : {"overview", "what-if", "positions"}) {
        fixture.window->showPage(page);
        fixture.window->resize(1366, 768);
        QCoreApplication::processEvents();
        QCOMPARE(fixture.window->size(), QSize(1366, 768));
    }
}

HEADSCOPE_WINDOW_TEST(TstMainWindow)
#include "tst_main_window.moc"
