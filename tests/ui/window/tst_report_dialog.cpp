#include "core/base/file.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/report/report_document.h"
#include "ui/pages/report/report_file.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/document.h"
#include "ui/widgets/text/document_pages.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/replace_question.h"
#include "ui/window/dialogs/report_dialog.h"
#include "ui/window/dialogs/window_files.h"

#include <QFileInfo>
#include <QImage>
#include <QLayout>
#include <QPageSize>
#include <QPainter>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

/// Enabled unless the report is being written.
QPushButton& writeOf(const ReportDialog& dialog)
{
    return *dialog.findChild<QPushButton*>("write");
}

QPushButton& cancelOf(const ReportDialog& dialog)
{
    return childOf<QPushButton>(dialog, "cancel");
}

QString problemIn(const ReportDialog& dialog)
{
    return childOf<TextLabel>(dialog, "problem").text();
}

} // namespace

// labels: threads

class TstReportDialog : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void theMenuWritesAReportOnWhatIsShown_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("pages") << "r.pdf";
        QTest::newRow("numbers") << "r.json";
    }

    void theMenuWritesAReportOnWhatIsShown()
    {
        QFETCH(QString, name);
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        ReportDialog* dialog = open(fixture);
        QVERIFY(dialog);
        const QString path = m_folder.filePath(name);
        dialog->setPath(path);
        writeOf(*dialog).click();
        QVERIFY(!writeOf(*dialog).isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(path), 60'000);
        QTRY_COMPARE(fixture.window->messages().kind(), MessageKind::Note);
        QVERIFY(fixture.window->messages().sentence().contains(name));
        QTRY_VERIFY(!fixture.window->findChild<ReportDialog*>());
        const std::string bytes = readFile(path.toStdString(), 1 << 26);
        if (name == "r.pdf") {
            QVERIFY(bytes.starts_with("%PDF-"));
            return;
        }
        const nlohmann::json report = nlohmann::json::parse(bytes);
        QCOMPARE(report.at("settings").at("text").get<std::string>(), std::string("the cat sat"));
        QCOMPARE(report.at("settings").at("model").get<std::string>(), std::string("tiny"));
        QVERIFY(report.at("ablation").contains("heads"));
    }

    void cancelLeavesNoFile_data()
    {
        QTest::addColumn<int>("after"); // milliseconds in which the window hears nothing
        QTest::newRow("at once") << 0;
        QTest::newRow("when it was made meanwhile") << 1'500;
    }

    void cancelLeavesNoFile()
    {
        QFETCH(int, after);
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        const QPointer<ReportDialog> dialog = open(fixture);
        const QString path = m_folder.filePath("cancelled.pdf");
        dialog->setPath(path);
        writeOf(*dialog).click();
        QTest::qSleep(after);
        cancelOf(*dialog).click();
        QTRY_VERIFY(!dialog || writeOf(*dialog).isEnabled());
        QVERIFY(dialog);
        QVERIFY2(problemIn(*dialog).isEmpty(), qPrintable(problemIn(*dialog)));
        QVERIFY(dialog->isVisible());
        QVERIFY(!QFileInfo::exists(path));
        cancelOf(*dialog).click();
        QTRY_VERIFY(!fixture.window->findChild<ReportDialog*>());
    }

    void opensAsHighAsItsTextsNeed()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        const ReportDialog* dialog = open(fixture);
        QTRY_VERIFY(dialog->isVisible());
        QCOMPARE(dialog->height(), dialog->layout()->totalHeightForWidth(dialog->width()));
    }

    void whatCannotBeWrittenIsSaidInside()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        ReportDialog* dialog = open(fixture);
        dialog->setPath(m_folder.filePath("r.doc"));
        writeOf(*dialog).click();
        QVERIFY(writeOf(*dialog).isEnabled());
        QVERIFY(problemIn(*dialog).contains("format"));
        dialog->setPath(m_folder.filePath("no/folder/r.pdf"));
        writeOf(*dialog).click();
        QTRY_VERIFY_WITH_TIMEOUT(writeOf(*dialog).isEnabled(), 60'000);
        QVERIFY2(problemIn(*dialog).contains("r.pdf"), qPrintable(problemIn(*dialog)));
    }

    void anExistingReportIsReplacedOnlyWhenConfirmed()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        const QString path = m_folder.filePath("kept.json");
        QFile kept(path);
        QVERIFY(kept.open(QIODevice::WriteOnly) && kept.write("other work") > 0);
        kept.close();
        const QPointer<ReportDialog> dialog = open(fixture);
        dialog->setPath(path);
        writeOf(*dialog).click();
        QVERIFY(writeOf(*dialog).isEnabled()); // not writing
        auto* question = dialog->findChild<ReplaceQuestion*>();
        QVERIFY(question && question->isVisible());
        QCoreApplication::processEvents();
        for (const QWidget* part : dialog->findChildren<QWidget*>())
            if (part->isVisible())
                QVERIFY2(part->height() >= part->minimumSizeHint().height() &&
                             part->height() >= part->heightForWidth(part->width()),
                         part->metaObject()->className());
        QCOMPARE(readFile(path.toStdString(), 100), std::string("other work"));
        question->findChild<QPushButton*>()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, 60'000);
        QVERIFY(readFile(path.toStdString(), 1 << 26).starts_with("{"));
    }

    void pagesHoldEveryPieceWhole()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        const ModelReport report = makeModelReport(reportRequest(fixture.session), {});
        const ReportPages sheets(report);
        QVERIFY(sheets.count() > 3);
        const QSizeF room = sheets.room().size();
        Document document(Theme::named(false, bodyFont()), room.width());
        setReport(document, report);
        for (const auto& page : placePieces(document.pieces(), room))
            for (const PlacedPiece& piece : page)
                QVERIFY(piece.area.bottom() <= room.height() + 1e-6);
        // nothing is drawn outside the margins but the footer
        constexpr int kDotsPerInch = 96;
        QImage image(QPageSize(QPageSize::A4).sizePixels(kDotsPerInch), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        sheets.paint(painter, 0);
        painter.end();
        for (int y = 0; y < 50; ++y)
            for (int x = 0; x < image.width(); ++x)
                QCOMPARE(image.pixelColor(x, y), QColor(Qt::white));
        for (int y = 0; y < image.height(); ++y)
            for (int x = image.width() - 56; x < image.width(); ++x)
                QCOMPARE(image.pixelColor(x, y), QColor(Qt::white));
    }

private:
    static ReportDialog* open(WindowFixture& fixture)
    {
        for (QAction* action : fixture.window->findChild<WindowActions*>()->all())
            if (action->text().contains("report"))
                action->trigger();
        return fixture.window->findChild<ReportDialog*>();
    }

    QTemporaryDir m_folder;
};

HEADSCOPE_WINDOW_TEST(TstReportDialog)
#include "tst_report_dialog.moc"
