// links: gpu/attention
#include "gpu/cl/drivers.h"

#include "core/base/atomic_write.h"
#include "gpu/attention/register_devices.h"
#include "tests/gpu/gpu_test.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

using namespace headscope;

namespace {

using Names = std::vector<std::string>;

bool isPoclLoaded()
{
    QFile maps("/proc/self/maps");
    return maps.open(QIODevice::ReadOnly) && maps.readAll().contains("libpocl");
}

} // namespace

class TstDrivers : public QObject
{
    Q_OBJECT

private slots:

    void cleanup()
    {
        for (const char* name : {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "POCL_DEVICES"})
            qunsetenv(name);
    }

    void registrationFilesAreRead()
    {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.path().toStdString();
        writeAtomically(place / "pocl.icd", "libpocl.so.2.10.0");
        writeAtomically(place / "card.icd", "/usr/lib/libcard.so.1\n");
        writeAtomically(place / "notes.txt", "libother.so");
        QCOMPARE(gpu::driversIn(place), (Names{"/usr/lib/libcard.so.1", "libpocl.so.2.10.0"}));
        QCOMPARE(gpu::driversIn(place / "missing"), Names());
        qputenv("OCL_ICD_VENDORS", folder.path().toUtf8());
        QCOMPARE(gpu::registeredDrivers(), gpu::driversIn(place));
        qputenv("OCL_ICD_FILENAMES", "liba.so:libb.so");
        QCOMPARE(gpu::registeredDrivers(),
                 (Names{"liba.so", "libb.so", "/usr/lib/libcard.so.1", "libpocl.so.2.10.0"}));
        qunsetenv("OCL_ICD_FILENAMES");
        qputenv("OCL_ICD_VENDORS", (folder.path() + "/pocl.icd").toUtf8());
        QCOMPARE(gpu::registeredDrivers(), Names{"libpocl.so.2.10.0"});
    }

    void poclAloneComputesOnTheProcessor()
    {
        QVERIFY(gpu::areAllPocl({"libpocl.so.2.10.0"}));
        QVERIFY(gpu::areAllPocl({"/usr/lib/x86_64-linux-gnu/libpocl.so.2"}));
        QVERIFY(!gpu::areAllPocl({"libpocl.so.2", "libnvidia-opencl.so.1"}));
        QVERIFY(!gpu::areAllPocl({}));
        qputenv("POCL_DEVICES", "cuda"); // its own back end for cards
        QVERIFY(!gpu::areAllPocl({"libpocl.so.2.10.0"}));
    }

    /// In a process of its own, as nothing unloads a driver.
    void poclIsLoadedWhenItsDeviceIsUsed()
    {
        if (!gpu::areAllPocl(gpu::registeredDrivers()))
            QSKIP("other drivers than PoCL are installed, or none");
        if (isPoclLoaded()) {
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(),
                        {test::testName(), "poclIsLoadedWhenItsDeviceIsUsed"});
            QVERIFY(child.waitForFinished());
            QVERIFY2(child.exitCode() == 0, child.readAllStandardOutput().constData());
            return;
        }
        BackendRegistry registry;
        gpu::registerOpenClDevicesLazily(registry);
        QCOMPARE(registry.entries().back().facts.id, std::string("opencl:0"));
        QVERIFY(registry.entries().back().facts.isCpu);
        QCOMPARE(registry.create("auto")->describe(),
                 std::string("CPU: PoCL computes on the same processor; choose it to use it"));
        QVERIFY(!isPoclLoaded());
        QCOMPARE(registry.create("opencl")->name(), std::string_view("opencl"));
        QVERIFY(isPoclLoaded());
        for (const gpu::OpenClDevice& device : gpu::findDevices())
            QVERIFY(device.facts.common.isCpu);
    }
};

HEADSCOPE_TEST(TstDrivers)
#include "tst_drivers.moc"
