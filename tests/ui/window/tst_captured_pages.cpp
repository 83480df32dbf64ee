#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/shared/page.h"
#include "ui/widgets/text/token_strip.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/token_rows.h"
#include "ui/window/workspaces/pages.h"

#include <QDropEvent>
#include <QMimeData>
#include <QTemporaryDir>
#include <QtTest>

// labels: threads

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::pageOf;
using headscope::ui::test::WindowFixture;

namespace {

QString captured(const char* name)
{
    return QString(HEADSCOPE_TEST_DATA "/captured/%1.safetensors").arg(name);
}

} // namespace

class TstCapturedPages : public QObject
{
    Q_OBJECT

private slots:

    void everyPageStands_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("a decoder") << captured("gpt2");
        QTest::newRow("an encoder") << captured("bert");
    }

    /// Live first, so that every page holds something of the model that goes.
    void everyPageStands()
    {
        QFETCH(QString, file);
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        visitAll(fixture);
        open(fixture, file);
        visitAll(fixture);
        fixture.session.view().activateHead(1, 2);
        fixture.session.view().selectPair(4, 1);
        TokenDisplay display;
        display.grouping = TokenDisplay::Grouping::WordSum;
        display.hideSpecial = true;
        fixture.session.view().setDisplay(display);
        visitAll(fixture);
        fixture.session.models().open("tiny");
        QTRY_VERIFY(fixture.session.model().model && fixture.isPainted());
        visitAll(fixture);
        QVERIFY(!fixture.window->sentence().isReadOnly());
    }

    void whatIsShownIsTheFile()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        open(fixture, captured("bert"));
        QCOMPARE(fixture.window->tokenRows().findChild<TokenStrip*>()->chips().size(),
                 std::size_t{28});
        QCOMPARE(fixture.window->tokenRows().findChild<TokenStrip*>()->chips()[0].text,
                 QString("[CLS]"));
        QVERIFY(fixture.window->windowTitle().startsWith("bert"));
        fixture.window->showPage("head");
        QTRY_VERIFY(fixture.isPainted());
        const QString npy = m_folder.filePath("n.npy");
        fixture.window->files().exportNumbersTo(npy);
        QVERIFY2(QFile::exists(npy), qPrintable(fixture.window->messages().sentence()));
    }

    void theTextIsReadOnlyAndSaysWhy()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        open(fixture, captured("gpt2"));
        SentenceField& field = fixture.window->sentence();
        QVERIFY(field.isReadOnly());
        QCOMPARE(field.text(), fixture.session.text());
        QVERIFY(field.toolTip().contains("Captured trace of gpt2"));
        QVERIFY(fixture.window->messages().sentence().contains("read-only"));
        const QString before = field.text();
        QTest::keyClick(&field, Qt::Key_X);
        QCOMPARE(fixture.session.text(), before);
        fixture.window->tokenRows().editQuery();
        QVERIFY(fixture.window->messages().sentence().contains("Open a model"));
        QVERIFY(fixture.settings.text(Setting::Model) == "tiny"); // what the next start opens
    }

    void pagesOfModelsSaySo()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        open(fixture, captured("gpt2"));
        for (const char* name : {"what-if", "compare", "causal", "architecture"}) {
            fixture.window->showPage(name);
            const auto* stepView = pageOf(*fixture.window, name).findChild<QWidget*>("needsModel");
            QVERIFY2(stepView && stepView->isVisible(), name);
        }
        fixture.session.models().open("tiny");
        QTRY_VERIFY(fixture.session.model().model);
        for (const char* name : {"what-if", "compare", "causal", "architecture"}) {
            fixture.window->showPage(name);
            QVERIFY2(!pageOf(*fixture.window, name).findChild<QWidget*>("needsModel")->isVisible(),
                     name);
        }
    }

    void itIsDroppedAndRemembered()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(captured("gpt2"))});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(fixture.window.get(), &enter);
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture.window.get(), &drop);
        QTRY_VERIFY(fixture.session.isCaptured() && fixture.isPainted());
        QCOMPARE(fixture.settings.value(Setting::RecentFiles).toStringList().value(0),
                 captured("gpt2"));
    }

    void aSavedSessionBringsItBack()
    {
        WindowFixture first;
        QTRY_VERIFY(first.isPainted());
        open(first, captured("gpt2"));
        first.session.view().activateHead(1, 3);
        first.window->showPage("arcs");
        first.window->files().saveSessionTo(m_folder.filePath("c.hscope"));
        WindowFixture second;
        QTRY_VERIFY(second.isPainted());
        second.window->openPath(m_folder.filePath("c.hscope"));
        QTRY_VERIFY(second.session.isCaptured() && second.isPainted());
        QTRY_COMPARE(second.window->page(), QString("arcs"));
        const SessionState expected = first.window->files().state();
        const SessionState found = second.window->files().state();
        QCOMPARE(found.model, expected.model);
        QCOMPARE(found.text, expected.text);
        QVERIFY(found.selection == expected.selection);
        QCOMPARE(found.pages["arcs"], expected.pages["arcs"]);
    }

private:
    static void open(WindowFixture& fixture, const QString& file)
    {
        fixture.window->openPath(file);
        QTRY_VERIFY2(fixture.session.isCaptured() && fixture.isPainted(),
                     qPrintable(fixture.window->messages().sentence()));
    }

    /// Shows each page, waits until it is drawn, asks it for its picture and its number.
    /// A figure that needs a model may say so instead, as it does at the command line.
    static void drawn(const PageDescriptor& entry, const ViewSnapshot& view,
                      const QJsonObject& options)
    {
        try {
            const Figure figure = entry.figure(view, options);
            if (figure.paint)
                QVERIFY(!figureImage(figure, {}).isNull());
        } catch (const Error& error) {
            QVERIFY2(!view.model().model, error.what());
        }
    }

    static void visitAll(WindowFixture& fixture)
    {
        for (const PageDescriptor& entry : pageDescriptors()) {
            fixture.window->showPage(entry.name);
            QCOMPARE(fixture.window->page(), entry.name);
            QApplication::processEvents();
            QVERIFY(!fixture.window->grab().isNull());
            if (auto* page = fixture.window->findChild<Page*>(entry.name)) {
                if (entry.figure)
                    drawn(entry, fixture.session.viewSnapshot(), page->options());
                page->numberAt(std::nullopt);
            }
        }
        fixture.window->showPage("overview");
        QApplication::processEvents();
    }

    QTemporaryDir m_folder;
};

HEADSCOPE_WINDOW_TEST(TstCapturedPages)
#include "tst_captured_pages.moc"
