#include "tests/support/test_program.h"
#include "ui/session/settings.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope::ui;

class TstSettings : public QObject
{
    Q_OBJECT

private slots:
    void defaultsAreThereBeforeAnythingWasSet();
    void whatWasSetIsThereInTheNextRun();
    void onlyAChangeIsEmitted();
    void memoryForgets();
    void nonsenseInTheFileIsNotUsed();
    void tenRecentFilesNewestFirst();
    void keysSayTheirVersion();
};

void TstSettings::defaultsAreThereBeforeAnythingWasSet()
{
    const QTemporaryDir folder;
    const Settings settings(folder.filePath("settings.ini"));
    QCOMPARE(settings.text(Setting::Theme), QString("system"));
    QCOMPARE(settings.text(Setting::Device), QString("auto"));
    QVERIFY(!settings.text(Setting::Sentence).isEmpty());
    QVERIFY(settings.value(Setting::WindowState).toByteArray().isEmpty());
}

void TstSettings::whatWasSetIsThereInTheNextRun()
{
    const QTemporaryDir folder;
    {
        Settings settings(folder.filePath("settings.ini"));
        settings.set(Setting::Sentence,
                     QString::fromUtf8("na\xC3\xAFve, \"quoted\"; \xF0\x9F\x98\x80"));
        settings.set(Setting::WindowGeometry, QByteArray("\0\1\2", 3));
    }
    const Settings settings(folder.filePath("settings.ini"));
    QCOMPARE(settings.text(Setting::Sentence),
             QString::fromUtf8("na\xC3\xAFve, \"quoted\"; \xF0\x9F\x98\x80"));
    QCOMPARE(settings.value(Setting::WindowGeometry).toByteArray(), QByteArray("\0\1\2", 3));
}

void TstSettings::onlyAChangeIsEmitted()
{
    Settings settings(Settings::Storage::Memory);
    const QSignalSpy changed(&settings, &Settings::changed);
    settings.set(Setting::Theme, "dark");
    settings.set(Setting::Theme, "dark");
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.front().front().value<Setting>(), Setting::Theme);
}

void TstSettings::memoryForgets()
{
    {
        Settings settings(Settings::Storage::Memory);
        settings.set(Setting::Theme, "dark");
        QCOMPARE(settings.text(Setting::Theme), QString("dark"));
    }
    QCOMPARE(Settings(Settings::Storage::Memory).text(Setting::Theme), QString("system"));
}

void TstSettings::nonsenseInTheFileIsNotUsed()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("settings.ini"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[v1]\nview\\theme=@Variant(\\0\\0\\0\\x7f)\nfiles\\recent=@Invalid()\n");
    file.close();
    const Settings settings(file.fileName());
    QCOMPARE(settings.text(Setting::Theme), QString("system"));
    QVERIFY(settings.value(Setting::RecentFiles).toStringList().isEmpty());
}

void TstSettings::tenRecentFilesNewestFirst()
{
    Settings settings(Settings::Storage::Memory);
    for (int file = 0; file < 15; ++file)
        settings.addRecentFile(QString("/models/%1").arg(file));
    settings.addRecentFile("/models/9");
    const QStringList files = settings.value(Setting::RecentFiles).toStringList();
    QCOMPARE(files.size(), 10);
    QCOMPARE(files.value(0), QString("/models/9"));
    QCOMPARE(files.value(1), QString("/models/14"));
}

void TstSettings::keysSayTheirVersion()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("settings.ini");
    {
        Settings settings(path);
        settings.set(Setting::Language, "zh_CN");
        settings.set(Setting::TourSeen, true);
    }
    const QSettings file(path, QSettings::IniFormat);
    QCOMPARE(file.allKeys(), QStringList({"v1/help/tourSeen", "v1/view/language"}));
    QVERIFY(Settings(path).value(Setting::TourSeen).toBool());
}

HEADSCOPE_TEST(TstSettings)
#include "tst_settings.moc"
