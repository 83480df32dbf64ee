#include "core/io/npy.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/export_dialog.h"
#include "ui/window/dialogs/replace_question.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/workspaces/pages.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

void press(const QMessageBox& box, QMessageBox::ButtonRole role)
{
    for (QAbstractButton* button : box.buttons())
        if (box.buttonRole(button) == role)
            return button->click();
}

/// What the dialog says it will write.
QString previewOf(const ExportDialog& dialog)
{
    return dialog.findChild<QLabel*>("preview")->text();
}

QString problemIn(const ExportDialog& dialog)
{
    return childOf<TextLabel>(dialog, "problem").text();
}

} // namespace

// labels: threads

class TstWindowFiles : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void aSavedSessionComesBackInAnotherWindow()
    {
        WindowFixture first;
        prepare(first);
        first.window->showPage("positions");
        first.window->files().saveSessionTo(path("a.hscope"));
        QCOMPARE(first.window->messages().kind(), MessageKind::Note);

        WindowFixture second;
        QTRY_VERIFY(second.isPainted());
        second.window->openPath(path("a.hscope"));
        QTRY_VERIFY(second.isPainted() && second.session.traceB());
        QCOMPARE(second.window->page(), QString("positions"));
        QCOMPARE(sessionJson(second.window->files().state()),
                 sessionJson(first.window->files().state()));
        compareTraces(first.session.traceA(), second.session.traceA());
        compareTraces(first.session.traceB(), second.session.traceB());
        QCOMPARE(second.settings.value(Setting::RecentFiles).toStringList().value(0),
                 path("a.hscope"));
        QVERIFY(!second.session.document().undoStack().canUndo()); // not onto this session
    }

    void aDroppedFigureBringsItsWindowBack_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"f.png", "f.svg", "f.pdf"})
            QTest::newRow(name) << name;
    }

    void aDroppedFigureBringsItsWindowBack()
    {
        QFETCH(QString, name);
        WindowFixture first;
        prepare(first);
        FigureStyle style;
        style.session = sessionJson(first.window->files().state());
        saveFigure(first.window->files().figure(), style, path(name).toStdString());

        WindowFixture second;
        QTRY_VERIFY(second.isPainted());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path(name))});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier); // without it nothing can be dropped
        QApplication::sendEvent(second.window.get(), &enter);
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(second.window.get(), &drop);
        QTRY_VERIFY2(second.isPainted() && second.session.traceB(),
                     qPrintable(second.window->messages().sentence()));
        QCOMPARE(second.session.text(), first.session.text());
        QVERIFY(second.session.changes() == first.session.changes());
        compareTraces(first.session.traceB(), second.session.traceB());
    }

    void aSharedPageBringsItsWindowBack()
    {
        WindowFixture first;
        prepare(first);
        first.window->files().sharePageTo(path("shared.html"));
        QCOMPARE(first.window->messages().kind(), MessageKind::Note);

        WindowFixture second;
        QTRY_VERIFY(second.isPainted());
        second.window->openPath(path("shared.html"));
        QTRY_VERIFY2(second.isPainted() && second.session.traceB(),
                     qPrintable(second.window->messages().sentence()));
        QCOMPARE(sessionJson(second.window->files().state()),
                 sessionJson(first.window->files().state()));
        compareTraces(first.session.traceB(), second.session.traceB());
        second.window->files().saveSession(); // asks, so that the page is not overwritten
        QVERIFY(second.window->findChild<QFileDialog*>("saveSession"));
    }

    void everyPageCanBeShared()
    {
        WindowFixture fixture;
        prepare(fixture);
        for (const PageDescriptor& page : pageDescriptors()) {
            fixture.window->showPage(page.name);
            fixture.window->files().sharePageTo(path(page.name + ".html"));
            QVERIFY2(QFile::exists(path(page.name + ".html")),
                     qPrintable(page.name + ": " + fixture.window->messages().sentence()));
            QCOMPARE(openSession(path(page.name + ".html").toStdString()).page, page.name);
        }
    }

    void sharingAsksForTheFile()
    {
        WindowFixture fixture;
        prepare(fixture);
        fixture.window->files().sharePage();
        auto* dialog = fixture.window->findChild<QFileDialog*>("sharePage");
        QVERIFY(dialog && !dialog->testOption(QFileDialog::DontConfirmOverwrite));
        QCOMPARE(dialog->defaultSuffix(), QString("html"));
        emit dialog->fileSelected(path("none/x.html"));
        QCOMPARE(fixture.window->messages().kind(), MessageKind::Error);
        dialog->close();
    }

    void foreignPagesAreRefused()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        QFile file(path("foreign.html"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("<!DOCTYPE html><title>news</title>");
        file.close();
        fixture.window->openPath(path("foreign.html"));
        QCOMPARE(fixture.window->messages().kind(), MessageKind::Error);
        QVERIFY2(fixture.window->messages().sentence().contains("foreign.html"),
                 qPrintable(fixture.window->messages().sentence()));
        QCOMPARE(fixture.session.text(), QString("the cat sat"));
    }

    void picturesWithoutASessionAreSaidSo()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(Qt::white);
        QVERIFY(image.save(path("plain.png")));
        for (const QString& file : {path("plain.png"), path("missing.hscope")}) {
            fixture.window->openPath(file);
            QCOMPARE(fixture.window->messages().kind(), MessageKind::Error);
            QVERIFY(fixture.window->messages().sentence().contains(QFileInfo(file).fileName()));
            QCOMPARE(fixture.session.text(), QString("the cat sat"));
        }
    }

    void savingASecondTimeAsksNothing()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        QTest::keyClick(fixture.window.get(), Qt::Key_S, Qt::ControlModifier);
        auto* dialog = fixture.window->findChild<QFileDialog*>("saveSession");
        QVERIFY(dialog);
        emit dialog->fileSelected(path("twice.hscope"));
        dialog->close();
        fixture.session.document().replaceText("the cat sat down");
        QTest::keyClick(fixture.window.get(), Qt::Key_S, Qt::ControlModifier);
        QTRY_COMPARE(fixture.window->findChildren<QFileDialog*>().size(), 0);
        QCOMPARE(loadSession(path("twice.hscope").toStdString()).text, QString("the cat sat down"));
    }

    void theExportDialogSaysWhatItWrites()
    {
        WindowFixture fixture;
        prepare(fixture);
        QTest::keyClick(fixture.window.get(), Qt::Key_E, Qt::ControlModifier);
        auto* dialog = fixture.window->findChild<ExportDialog*>();
        QVERIFY(dialog && !dialog->isModal());
        QVERIFY(dialog->path().endsWith(".png"));
        QVERIFY2(previewOf(*dialog).startsWith("PNG"), qPrintable(previewOf(*dialog)));
        dialog->setPath(path("none/x.pdf"));
        QVERIFY2(previewOf(*dialog).startsWith("PDF"), qPrintable(previewOf(*dialog)));
        dialog->save();
        QVERIFY2(problemIn(*dialog).contains("none"), qPrintable(problemIn(*dialog)));
        QVERIFY(dialog->isVisible());
        dialog->setPath(path("x.png"));
        const QImage expected = figureImage(fixture.window->files().figure(), dialog->style());
        QVERIFY2(previewOf(*dialog).contains(count(expected.width())),
                 qPrintable(previewOf(*dialog)));
        QSignalSpy saved(dialog, &ExportDialog::saved);
        dialog->save();
        QCOMPARE(saved.count(), 1);
        QVERIFY(QImage(path("x.png")) == expected);
        QVERIFY(openSession(path("x.png").toStdString()) == fixture.window->files().state());
        QCOMPARE(fixture.window->messages().kind(), MessageKind::Note);
        QTRY_VERIFY(!fixture.window->findChild<ExportDialog*>());
    }

    void anExistingFileIsReplacedOnlyWhenConfirmed()
    {
        WindowFixture fixture;
        prepare(fixture);
        const QString file = path("kept.png");
        QFile kept(file);
        QVERIFY(kept.open(QIODevice::WriteOnly) && kept.write("other work") > 0);
        kept.close();
        const auto content = [&file] {
            QFile now(file);
            return now.open(QIODevice::ReadOnly) ? now.readAll() : QByteArray();
        };
        fixture.window->files().exportView();
        auto* dialog = fixture.window->findChild<ExportDialog*>();
        QSignalSpy saved(dialog, &ExportDialog::saved);
        dialog->setPath(file);
        dialog->save();
        dialog->save(); // pressing Export again does not answer
        QCOMPARE(content(), QByteArray("other work"));
        QVERIFY(dialog->isVisible());
        auto* question = dialog->findChild<ReplaceQuestion*>();
        QVERIFY(question && question->isVisible());
        const QString asked = childOf<TextLabel>(*question).text();
        QVERIFY2(asked.contains("kept.png"), qPrintable(asked));
        dialog->setPath(path("another.png"));
        QVERIFY(!question->isVisible());
        dialog->setPath(file);
        dialog->save();
        QVERIFY(question->isVisible());
        question->findChild<QPushButton*>()->click();
        QCOMPARE(saved.count(), 1);
        QVERIFY(content() != QByteArray("other work"));
    }

    void theNextExportProposesANewFileInTheSameFolder()
    {
        WindowFixture fixture;
        prepare(fixture);
        fixture.window->files().exportView();
        QPointer<ExportDialog> dialog = fixture.window->findChild<ExportDialog*>();
        const QString name = QFileInfo(dialog->path()).completeBaseName();
        dialog->setPath(path(name + ".png"));
        dialog->save();
        QTRY_VERIFY(!dialog);
        fixture.window->files().exportView();
        dialog = fixture.window->findChild<ExportDialog*>();
        QCOMPARE(dialog->path(), path(name + "-2.png"));
    }

    void aNoteEndsWithWhatItSays()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        WindowFiles& files = fixture.window->files();
        files.saveSessionTo(path("first.hscope"));
        QVERIFY(fixture.window->messages().isVisible());
        fixture.session.document().replaceText("the cat sat down");
        QVERIFY(!fixture.window->messages().isVisible());
        files.saveSessionTo(path("second.hscope"));
        QVERIFY(fixture.window->messages().sentence().contains("second.hscope"));
        fixture.window->openPath(path("first.hscope"));
        QTRY_COMPARE(fixture.session.text(), QString("the cat sat"));
        QVERIFY(!fixture.window->messages().isVisible());
    }

    void impossibleSizesAreSaidInTheDialog()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        fixture.window->files().exportView();
        auto* dialog = fixture.window->findChild<ExportDialog*>();
        QVERIFY(dialog);
        auto* width = dialog->findChildren<QSpinBox*>().value(0);
        width->setValue(16384);
        QVERIFY2(problemIn(*dialog).contains("too large"), qPrintable(problemIn(*dialog)));
        QVERIFY(previewOf(*dialog).isEmpty());
        width->setValue(0);
        QVERIFY(problemIn(*dialog).isEmpty());
        QVERIFY(!previewOf(*dialog).isEmpty());
    }

    void copiesAreOfThePageInFront()
    {
        WindowFixture fixture;
        prepare(fixture);
        const Figure figure = fixture.window->files().figure();
        QTest::keyClick(fixture.window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QApplication::clipboard()->image().size(),
                 figureImage(figure, {false, 2.0}).size());
        fixture.window->files().copyCaption();
        QCOMPARE(QApplication::clipboard()->text(), figure.caption);
        QVERIFY(!figure.caption.isEmpty());
        fixture.window->files().copyNumbers();
        QCOMPARE(QApplication::clipboard()->text(), numbersText(figure));
    }

    void exportedNumbersAreThoseOfTheTrace()
    {
        WindowFixture fixture;
        prepare(fixture);
        fixture.session.view().setShownVariant(ui::Variant::B);
        fixture.window->files().exportNumbersTo(path("n.npy"));
        QVERIFY2(QFile::exists(path("n.npy")), qPrintable(fixture.window->messages().sentence()));
        const Tensor saved = loadNpy(path("n.npy").toStdString());
        const Selection& selection = fixture.session.selection();
        const auto pattern = fixture.session.traceB()->find({Site::Pattern, selection.layer});
        const TensorView head = pattern->view()[selection.head];
        QVERIFY(saved.shape() == head.shape);
        QVERIFY(std::equal(saved.values().begin(), saved.values().end(), head.data));
        fixture.window->files().exportNumbersTo(path("n.doc"));
        QCOMPARE(fixture.window->messages().kind(), MessageKind::Error);
    }

    void severalExistingFilesAreAskedAboutOnce()
    {
        WindowFixture fixture;
        prepare(fixture);
        fixture.window->showPage("what-if");
        QTRY_VERIFY(fixture.window->files().figure().numbers.size() > 1);
        WindowFiles& files = fixture.window->files();
        const auto names = numberFiles(files.figure(), path("many.csv").toStdString());
        for (const auto& name : {names[0], names[1]}) {
            QFile kept(QString::fromStdString(name.string()));
            QVERIFY(kept.open(QIODevice::WriteOnly) && kept.write("other work") > 0);
        }
        const auto isKept = [&names] {
            QFile now(QString::fromStdString(names[0].string()));
            return now.open(QIODevice::ReadOnly) && now.readAll() == "other work";
        };
        const auto asked = [&fixture] {
            return fixture.window->findChild<QMessageBox*>("replaceFiles");
        };
        files.exportNumbersTo(path("many.csv"));
        QPointer<QMessageBox> box = asked();
        QVERIFY(box && isKept());
        for (const auto& name : {names[0], names[1]})
            QVERIFY2(
                box->informativeText().contains(QString::fromStdString(name.filename().string())),
                qPrintable(box->informativeText()));
        press(*box, QMessageBox::RejectRole);
        QTRY_VERIFY(!box);
        QVERIFY(isKept());
        files.exportNumbersTo(path("many.csv"));
        box = asked();
        press(*box, QMessageBox::AcceptRole);
        QTRY_VERIFY(!box);
        QVERIFY(!isKept());
        for (const auto& name : names)
            QVERIFY(std::filesystem::exists(name));
    }

private:
    /// Text, mask, a head that is off, a pinned pair.
    static void prepare(WindowFixture& fixture)
    {
        fixture.session.document().replaceText("the cat sat on");
        Changes changes;
        changes.mask.kind = MaskChange::Kind::None;
        changes.headsOff = {{{0, 1}, HeadOff::Method::Mean}};
        QTRY_VERIFY(fixture.isPainted());
        fixture.session.document().setChanges(changes, "changes");
        QTRY_VERIFY(fixture.isPainted() && fixture.session.traceB());
        fixture.session.view().setShownVariant(ui::Variant::Difference);
        fixture.session.view().activateHead(1, 1);
        fixture.session.view().selectPair(3, 1);
        fixture.window->showPage("head");
    }

    static void compareTraces(const TracePtr& left, const TracePtr& right)
    {
        QVERIFY(left && right);
        QCOMPARE(left->activations().size(), right->activations().size());
        for (const auto& [key, values] : left->activations()) {
            const auto other = right->find(key);
            QVERIFY(other && other->shape() == values->shape());
            QVERIFY(std::equal(values->values().begin(), values->values().end(),
                               other->values().begin()));
        }
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

HEADSCOPE_WINDOW_TEST(TstWindowFiles)
#include "tst_window_files.moc"
