#include "app/commands/device_measurements.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;

class TstDeviceMeasurements : public QObject
{
    Q_OBJECT

private slots:

    void whatWasSavedIsLoadedByTheNextStart()
    {
        const QTemporaryDir cache;
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        QVERIFY(!app::cachedMeasurements().load().has_value());
        app::cachedMeasurements().save("measured once");
        QCOMPARE(app::cachedMeasurements().load().value(), std::string("measured once"));
    }

    void aFolderThatCannotBeWrittenIsNoError()
    {
        const QTemporaryDir cache;
        QFile inTheWay(cache.path() + "/headscope");
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        app::cachedMeasurements().save("lost");
        QVERIFY(!app::cachedMeasurements().load().has_value());
    }

    void withoutAnyFolderNothingIsKept()
    {
        qunsetenv("XDG_CACHE_HOME");
        qunsetenv("HOME");
        QVERIFY(!app::cachedMeasurements().load);
        QVERIFY(!app::cachedMeasurements().save);
    }

    void aMachineWithoutDevicesHasNothingToMeasure()
    {
        app::measureDevices(BackendRegistry{}, {});
        AutoAttention automatic;
        QVERIFY(automatic.isMeasured());
    }
};

HEADSCOPE_TEST(TstDeviceMeasurements)
#include "tst_device_measurements.moc"
