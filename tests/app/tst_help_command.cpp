#include "app/lesson_source.h"
#include "app/manual_source.h"
#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QRegularExpression>

using headscope::Manual;
using headscope::ManualPage;
using headscope::app::builtinLessons;
using headscope::app::builtinManual;
using headscope::test::Outcome;
using headscope::test::runHeadscope;

namespace {

const QString kRoot = QStringLiteral(HEADSCOPE_SOURCE_DIR "/");

/// Lines "headscope ..." in the code blocks of a page, without their comments.
QStringList commandsOf(const ManualPage& page)
{
    static const QRegularExpression kComment("\\s+#.*$");
    QStringList commands;
    bool isCode = false;
    for (QString line : QString::fromStdString(page.text).split('\n')) {
        if (line.startsWith("```"))
            isCode = !isCode;
        const qsizetype at = line.indexOf("headscope ");
        const bool isCommand = at == 0 || line.startsWith("mpirun ");
        if (isCode && isCommand)
            commands << line.mid(at).remove(kComment);
    }
    return commands;
}

} // namespace

class TstHelpCommand : public QObject
{
    Q_OBJECT

private slots:
    void withoutTopicAllPagesAreListed();
    void aTopicIsPrinted();
    void anUnknownTopicIsRefusedWithTheNearest();
    void everyLinkLeadsSomewhere();
    void everyPictureIsDrawn();
    void linksOfTheRepositoryLeadSomewhere();
    void everyCommandIsUnderstood();
};

void TstHelpCommand::withoutTopicAllPagesAreListed()
{
    const Outcome outcome = runHeadscope({"help"});
    HS_DONE(outcome);
    for (const ManualPage& page : builtinManual().pages())
        QVERIFY2(outcome.out.contains(("  " + page.name + " ").c_str()), page.name.c_str());
    const Outcome json = runHeadscope({"help", "--json"});
    QCOMPARE(json.json().size(), builtinManual().pages().size());
}

void TstHelpCommand::aTopicIsPrinted()
{
    const Outcome outcome = runHeadscope({"help", "query · key"});
    HS_DONE(outcome);
    QVERIFY(outcome.out.startsWith("Query · Key\n===========\n\nHow one weight is computed:"));
    QVERIFY(!outcome.out.contains("**") && !outcome.out.contains("<picture>"));
    QCOMPARE(runHeadscope({"help", "qk"}).out, outcome.out);
    QVERIFY(runHeadscope({"help", "qk", "--json"}).json()["title"] == "Query · Key");
}

void TstHelpCommand::anUnknownTopicIsRefusedWithTheNearest()
{
    HS_REFUSED(runHeadscope({"help", "lenz"}), 1, "Did you mean \"lens\"?");
    HS_REFUSED(runHeadscope({"help", "nothing of the kind"}), 1, "headscope help lists the topics");
}

void TstHelpCommand::everyLinkLeadsSomewhere()
{
    const Manual& manual = builtinManual();
    for (const ManualPage& page : manual.pages()) {
        for (const std::string& link : headscope::markdownLinks(page.text)) {
            const QString target = QString::fromStdString(link);
            const std::string name = target.section(':', 1).toStdString();
            const bool isKnown =
                target.endsWith(".md") ? manual.find(target.chopped(3).toStdString()) != nullptr
                : target.startsWith("lesson") ? builtinLessons().find(name) != nullptr
                : target.startsWith("page:")  ? manual.find(name) != nullptr
                                              : target.startsWith("https://");
            QVERIFY2(isKnown, (page.name + ": " + link).c_str());
        }
    }
}

/// resources/screenshots/make draws NAME-light.png and NAME-dark.png from NAME.hscope, and trains
/// what "train" shows.
void TstHelpCommand::everyPictureIsDrawn()
{
    static const QRegularExpression kImage("\\.\\./screenshots/([a-z-]+)-(light|dark)\\.png");
    int count = 0;
    for (const ManualPage& page : builtinManual().pages()) {
        auto images = kImage.globalMatch(QString::fromStdString(page.text));
        while (images.hasNext()) {
            const QRegularExpressionMatch image = images.next();
            const QString name = image.captured(1);
            const QString folder = kRoot + "resources/screenshots/";
            const QString session = folder + name + ".hscope";
            QVERIFY2(name == "train" || QFile::exists(session), qPrintable(session));
            const QString picture = folder + name + "-" + image.captured(2) + ".png";
            QVERIFY2(QFile::exists(picture), qPrintable(picture));
            ++count;
        }
    }
    QVERIFY(count > 50);
}

void TstHelpCommand::linksOfTheRepositoryLeadSomewhere()
{
    for (const QString& path : {QString("README.md"), QString(".github/CONTRIBUTING.md"),
                                QString("resources/manual/README.md")}) {
        QFile file(kRoot + path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QDir folder = QFileInfo(file).dir();
        for (const std::string& link : headscope::markdownLinks(file.readAll().toStdString())) {
            const QString target = QString::fromStdString(link);
            QVERIFY2(target.endsWith(".png") || QFile::exists(folder.filePath(target)),
                     link.c_str());
        }
    }
}

/// Each is given an option that nobody knows: that it is the one complained of shows that the rest
/// was understood, and nothing runs.
void TstHelpCommand::everyCommandIsUnderstood()
{
    int count = 0;
    for (const ManualPage& page : builtinManual().pages()) {
        for (const QString& command : commandsOf(page)) {
            QStringList words = QProcess::splitCommand(command);
            words.removeFirst();
            const Outcome outcome = runHeadscope(words << "--of-no-command");
            const QByteArray problem = outcome.err + page.name.c_str() + ": " + command.toUtf8();
            QVERIFY2(outcome.err.contains("\"--of-no-command\""), problem.constData());
            QCOMPARE(outcome.status, 2);
            ++count;
        }
    }
    QVERIFY(count > 40);
}

HEADSCOPE_TEST(TstHelpCommand)
#include "tst_help_command.moc"
