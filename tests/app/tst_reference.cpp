#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

namespace {

QByteArray reference(const char* format)
{
    return runHeadscope({"reference", format}).out;
}

/// Words at the left margin below `heading` in the --help of `command`.
QStringList namesInHelp(const QStringList& command, const QString& heading)
{
    const QString help = QString::fromUtf8(runHeadscope(command + QStringList{"--help"}).out);
    static const QRegularExpression name("^  (?:-\\w,)?(-?-?[a-zA-Z][\\w-]*)");
    QStringList names;
    bool isInside = false;
    for (const QString& line : help.split('\n')) {
        if (!line.startsWith(' '))
            isInside = line.startsWith(heading);
        else if (isInside && name.match(line).hasMatch())
            names.append(name.match(line).captured(1));
    }
    return names;
}

} // namespace

class TstReference : public QObject
{
    Q_OBJECT

private slots:
    void theManualNamesEveryCommandAndOption();
    void aShellReadsItsCompletions_data();
    void aShellReadsItsCompletions();
    void bashCompletes_data();
    void bashCompletes();
    void itIsHidden();

private:
    QTemporaryDir m_folder;
};

void TstReference::theManualNamesEveryCommandAndOption()
{
    const QString page = QString::fromUtf8(reference("man")).replace("\\-", "-");
    const QStringList commands = namesInHelp({}, "Subcommands:");
    QVERIFY(commands.size() > 8);
    for (const QString& command : commands) {
        const qsizetype begin = page.indexOf(".SS headscope " + command + '\n');
        QVERIFY2(begin >= 0, qPrintable(command));
        const QString section = page.mid(begin, page.indexOf("\n.SS ", begin + 1) - begin);
        for (const QString& option : namesInHelp({command}, "Options:"))
            QVERIFY2(section.contains(option), qPrintable(command + ' ' + option));
    }
}

void TstReference::aShellReadsItsCompletions_data()
{
    QTest::addColumn<QByteArray>("shell");
    for (const char* shell : {"bash", "zsh", "fish"})
        QTest::newRow(shell) << QByteArray(shell);
}

void TstReference::aShellReadsItsCompletions()
{
    QFETCH(QByteArray, shell);
    const QByteArray script = reference(shell);
    for (const char* word : {"tokenize", "train", "model", "theme", "light dark"})
        QVERIFY2(script.contains(word), word);
    if (QStandardPaths::findExecutable(shell).isEmpty())
        QSKIP(qPrintable(shell + " is not installed"));
    QFile file(m_folder.filePath(shell));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(script);
    file.close();
    QProcess process;
    process.start(shell, {"-n", file.fileName()});
    QVERIFY(process.waitForFinished());
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
}

void TstReference::bashCompletes_data()
{
    QTest::addColumn<QString>("line"); // the last word is completed
    QTest::addColumn<QString>("words");
    QTest::newRow("command") << "headscope tok"
                             << "tokenize";
    QTest::newRow("nested command") << "headscope tokenize tr"
                                    << "train";
    QTest::newRow("option") << "headscope render --ablat"
                            << "--ablate";
    QTest::newRow("value") << "headscope render --theme "
                           << "light dark";
    QTest::newRow("value, begun") << "headscope --theme li"
                                  << "light";
    QTest::newRow("a value that reads like a command") << "headscope --text train --them"
                                                       << "--theme";
    QTest::newRow("a file is left to the shell") << "headscope render --out x"
                                                 << "";
}

void TstReference::bashCompletes()
{
    QFETCH(QString, line);
    QFETCH(QString, words);
    if (QStandardPaths::findExecutable("bash").isEmpty())
        QSKIP("bash is not installed");
    QProcess bash;
    bash.start("bash",
               {"--norc", "-c",
                QString::fromUtf8(reference("bash")) +
                    "\nIFS=' '; COMP_WORDS=($1); case $1 in *' ') COMP_WORDS+=('') ;; esac\n"
                    "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); IFS=$' \\t\\n'\n"
                    "_headscope; echo \"${COMPREPLY[*]}\"\n",
                "bash", line});
    QVERIFY(bash.waitForFinished());
    QCOMPARE(QString::fromUtf8(bash.readAllStandardOutput()).trimmed(), words);
}

void TstReference::itIsHidden()
{
    QVERIFY(!runHeadscope({"--help"}).out.contains("\n  reference"));
    HS_REFUSED(runHeadscope({"reference", "csh"}), 2, "format");
}

HEADSCOPE_TEST(TstReference)
#include "tst_reference.moc"
