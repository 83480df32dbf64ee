// links: ui/widgets
#include "tests/support/test_program.h"

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
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
    void theNewestReleaseIsThisVersion();
    void everyMimeTypeIsDefinedAndOpened();
    void everyScreenshotIsInTheRepository();

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

void TstDesktopFiles::theNewestReleaseIsThisVersion()
{
    const QByteArray project = content(QStringLiteral(HEADSCOPE_SOURCE_DIR) + "/CMakeLists.txt");
    const QByteArray stream = content(kRoot + "/desktop/" + kName + ".metainfo.xml");
    const QString version = QRegularExpression("project\\(headscope VERSION ([0-9.]+)")
                                .match(QString::fromUtf8(project))
                                .captured(1);
    const QString release = QRegularExpression("<release version=\"([^\"]+)\" date=\"[0-9-]+\"")
                                .match(QString::fromUtf8(stream)) // the newest comes first
                                .captured(1);
    QVERIFY(!version.isEmpty());
    QCOMPARE(release, version);
}

void TstDesktopFiles::everyMimeTypeIsDefinedAndOpened()
{
    const QByteArray entry = content(kRoot + "/desktop/" + kName + ".desktop");
    const QByteArray stream = content(kRoot + "/desktop/" + kName + ".metainfo.xml");
    const QByteArray types = content(kRoot + "/desktop/" + kName + ".xml");
    for (const QByteArray type : {"application/x-headscope-session", "application/x-gguf"}) {
        QVERIFY(types.contains("<mime-type type=\"" + type + "\">"));
        QVERIFY(entry.contains(type + ';'));
        QVERIFY(stream.contains("<mediatype>" + type + "</mediatype>"));
    }
    QVERIFY(types.contains("<glob pattern=\"*.hscope\"/>"));
    QVERIFY(types.contains("<glob pattern=\"*.gguf\"/>"));
}

void TstDesktopFiles::everyScreenshotIsInTheRepository()
{
    const QString stream =
        QString::fromUtf8(content(kRoot + "/desktop/" + kName + ".metainfo.xml"));
    static const QRegularExpression image(
        "width=\"(\\d+)\" height=\"(\\d+)\">https://[^<]+/resources/(screenshots/[^<]+)<");
    int count = 0;
    for (const QRegularExpressionMatch& match : image.globalMatch(stream)) {
        const QImage screenshot(kRoot + '/' + match.captured(3));
        QCOMPARE(screenshot.size(), QSize(match.captured(1).toInt(), match.captured(2).toInt()));
        ++count;
    }
    QVERIFY(count > 0);
}

HEADSCOPE_TEST(TstDesktopFiles)
#include "tst_desktop_files.moc"
