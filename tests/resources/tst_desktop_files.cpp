// links: ui/widgets
#include "tests/support/test_program.h"

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

namespace {

const QString kRoot = QStringLiteral(HEADSCOPE_SOURCE_DIR) + "/resources";
const QString kName = QStringLiteral("io.github.headscope.Headscope");

QByteArray content(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TstDesktopFiles : public QObject
{
    Q_OBJECT

private slots:
    void theDesktopEntryIsValid();
    void theAppStreamFileIsValid();
    void iconsHaveTheSizeOfTheirFolder();
    void allOfThemNameTheSameProgram();

private:
    static void check(const QString& tool, const QStringList& arguments);
};

void TstDesktopFiles::check(const QString& tool, const QStringList& arguments)
{
    if (QStandardPaths::findExecutable(tool).isEmpty())
        QSKIP(qPrintable(tool + " is not installed"));
    QProcess process;
    process.start(tool, arguments);
    QVERIFY(process.waitForFinished());
    QVERIFY2(process.exitCode() == 0,
             (process.readAllStandardOutput() + process.readAllStandardError()).constData());
}

void TstDesktopFiles::theDesktopEntryIsValid()
{
    check("desktop-file-validate", {kRoot + "/desktop/" + kName + ".desktop"});
}

void TstDesktopFiles::theAppStreamFileIsValid()
{
    check("appstreamcli", {"validate", "--no-net", kRoot + "/desktop/" + kName + ".metainfo.xml"});
}

void TstDesktopFiles::iconsHaveTheSizeOfTheirFolder()
{
    for (const int side : {16, 24, 32, 48, 64, 128, 256, 512}) {
        const QImage icon(
            QString("%1/icons/hicolor/%2x%2/apps/%3.png").arg(kRoot).arg(side).arg(kName));
        QCOMPARE(icon.size(), QSize(side, side));
        QCOMPARE(icon.pixelColor(0, 0).alpha(), 0); // rounded
        QVERIFY(icon.pixelColor(side / 2, side / 4).alpha() > 200);
    }
}

void TstDesktopFiles::allOfThemNameTheSameProgram()
{
    const QByteArray entry = content(kRoot + "/desktop/" + kName + ".desktop");
    const QByteArray stream = content(kRoot + "/desktop/" + kName + ".metainfo.xml");
    QVERIFY(entry.contains("Icon=" + kName.toUtf8() + '\n'));
    QVERIFY(entry.contains("Exec=headscope %f\n"));
    QVERIFY(stream.contains("<id>" + kName.toUtf8() + "</id>"));
    QVERIFY(stream.contains("<binary>headscope</binary>"));
}

HEADSCOPE_TEST(TstDesktopFiles)
#include "tst_desktop_files.moc"
