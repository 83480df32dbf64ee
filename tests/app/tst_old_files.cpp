#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QImage>
#include <QTemporaryDir>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

namespace {

QString old(const QString& name)
{
    return QString(HEADSCOPE_TEST_DATA "/compat/") + name;
}

void copyFolder(const QString& from, const QString& to)
{
    QVERIFY(QDir().mkpath(to));
    for (const QFileInfo& entry :
         QDir(from).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot)) {
        const QString target = to + "/" + entry.fileName();
        if (entry.isDir())
            copyFolder(entry.filePath(), target);
        else
            QVERIFY(QFile::copy(entry.filePath(), target));
    }
}

} // namespace

/// Files that earlier versions wrote (tests/data/compat/README.md) open as they did.
class TstOldFiles : public QObject
{
    Q_OBJECT

private slots:

    void sessionsAndFiguresOpenInTheWindow_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("session") << "session.hscope";
        QTest::newRow("figure") << "figure.svg";
        QTest::newRow("trace") << "trace.safetensors";
    }

    void sessionsAndFiguresOpenInTheWindow()
    {
        QFETCH(QString, file);
        const QString diagram = m_folder.filePath("window.png");
        HS_DONE(runHeadscope({old(file), "--screenshot", diagram, "--size", "1000x700"}));
        const QImage image(diagram);
        QVERIFY(image.width() >= 1000);
    }

    void aFigureIsDrawnAgainFromTheSessionInIt()
    {
        const QString again = m_folder.filePath("again.svg");
        HS_DONE(runHeadscope({"render", "--session", old("figure.svg"), "--out", again}));
        QFile file(again);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("street"));
    }

    void aTraceHasItsTokensAndScores()
    {
        const Outcome outcome =
            runHeadscope({"inspect", "--trace", old("trace.safetensors"), "--json"});
        HS_DONE(outcome);
        QVERIFY(outcome.json().at("heads").size() > 0);
    }

    void aCheckpointGoesOnWithTheSameTokens()
    {
        const Outcome outcome = runHeadscope(
            {"generate", "--model", old("run/checkpoints/step-20.safetensors"), "--prompt",
             "a b c d", "--max-tokens", "6", "--temperature", "0", "--json"});
        HS_DONE(outcome);
        QFile file(old("generated.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto before = nlohmann::json::parse(file.readAll().toStdString());
        QVERIFY(outcome.json().at("ids") == before.at("ids"));
    }

    void aRunGoesOnWhereItEnded()
    {
        const QString run = m_folder.filePath("run");
        copyFolder(old("run"), run);
        const Outcome outcome = runHeadscope(
            {"train", old("run/config.json"), "--out", run, "--resume", "--steps", "22", "--json"});
        HS_DONE(outcome);
        QVERIFY(outcome.jsonLines().back().at("step") == 22);
        HS_DONE(runHeadscope({"runs", m_folder.path()}));
    }

    void aLessonIsRead()
    {
        const Outcome outcome = runHeadscope({"learn", old("lesson.json")});
        HS_DONE(outcome);
        QVERIFY(outcome.out.contains("mask"));
    }

private:
    QTemporaryDir m_folder;
};

HEADSCOPE_TEST(TstOldFiles)
#include "tst_old_files.moc"
