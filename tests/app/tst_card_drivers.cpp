#include "app/commands/card_drivers.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;

class TstCardDrivers : public QObject
{
    Q_OBJECT

private slots:

    void eachMakerIsNamedOnceWithItsPackage()
    {
        const QTemporaryDir folder;
        addCard(folder, "card0", "0x10de\n");
        addCard(folder, "card1", "0x10de\n");
        addCard(folder, "card2", "0x8086\n");
        addCard(folder, "card3", "0x1234\n");                  // an emulated card
        QVERIFY(QDir(folder.path()).mkpath("card0-HDMI-A-1")); // a connector
        const auto drivers = app::cardDrivers(folder.path().toStdString());
        QCOMPARE(drivers.size(), std::size_t{2});
        QCOMPARE(drivers[0].maker, std::string("NVIDIA"));
        QCOMPARE(drivers[0].package, std::string("nvidia-opencl-icd"));
        QCOMPARE(drivers[1].package, std::string("intel-opencl-icd"));
    }

    void noFolderMeansNoCards() { QVERIFY(app::cardDrivers("/nowhere/drm").empty()); }

private:
    static void addCard(const QTemporaryDir& folder, const QString& name, const char* vendor)
    {
        QVERIFY(QDir(folder.path()).mkpath(name + "/device"));
        QFile file(folder.filePath(name + "/device/vendor"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(vendor);
    }
};

HEADSCOPE_TEST(TstCardDrivers)
#include "tst_card_drivers.moc"
