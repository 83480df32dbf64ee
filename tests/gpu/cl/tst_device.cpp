// links: gpu/attention
#include "tests/gpu/gpu_test.h"

#include "core/base/error.h"
#include "gpu/cl/status.h"
#include "tests/support/test_program.h"

#include <QProcess>

using namespace headscope;
using gpu::OpenClFacts;

namespace {

OpenClFacts device(const std::string& id, bool isGpu, bool sharesMemory, int computeUnits)
{
    OpenClFacts facts;
    facts.common.id = id;
    facts.common.isGpu = isGpu;
    facts.common.sharesHostMemory = sharesMemory;
    facts.common.computeUnits = computeUnits;
    facts.isCpu = !isGpu;
    return facts;
}

} // namespace

class TstDevice : public QObject
{
    Q_OBJECT

private slots:
    void aMachineWithoutSysIsDescribed();
    void aGpuComesBeforeACpuDevice();
    void ownMemoryComesBeforeShared();
    void moreComputeUnitsWinBetweenEquals();
    void anIdChoosesThatDevice();
    void nothingToChooseIsNoChoice();
    void factsOfThisMachineArePlausible();
    void noPlatformIsAnEmptyList();
    void affinityOfPoclIsSetButNotOverridden();
    void aFailedCallNamesItselfAndItsStatus();
};

void TstDevice::aMachineWithoutSysIsDescribed()
{
    QCOMPARE(gpu::syntheticTopology(2, 1024), std::string("node:1(memory=1024) core:2 pu:1"));
    QCOMPARE(gpu::syntheticTopology(-1, 1), std::string("node:1(memory=1) core:1 pu:1"));
}

void TstDevice::aGpuComesBeforeACpuDevice()
{
    const auto choice =
        gpu::chooseDevice({device("opencl:0", false, true, 64), device("opencl:1", true, true, 8)});
    QVERIFY(choice.has_value());
    QCOMPARE(choice->index, 1U);
    QCOMPARE(choice->reason, std::string("a GPU is preferred to other devices"));
}

void TstDevice::ownMemoryComesBeforeShared()
{
    const auto choice = gpu::chooseDevice(
        {device("opencl:0", true, true, 96), device("opencl:1", true, false, 20)});
    QCOMPARE(choice->index, 1U);
}

void TstDevice::moreComputeUnitsWinBetweenEquals()
{
    const auto choice = gpu::chooseDevice({device("opencl:0", true, false, 20),
                                           device("opencl:1", true, false, 132),
                                           device("opencl:2", true, false, 60)});
    QCOMPARE(choice->index, 1U);
    QCOMPARE(choice->reason, std::string("the most powerful of 3 OpenCL devices"));
}

void TstDevice::anIdChoosesThatDevice()
{
    const std::vector<OpenClFacts> devices{device("opencl:0", true, false, 20),
                                           device("opencl:1", false, true, 4)};
    QCOMPARE(gpu::chooseDevice(devices, "opencl:1")->index, 1U);
    QVERIFY(!gpu::chooseDevice(devices, "opencl:7").has_value());
}

void TstDevice::nothingToChooseIsNoChoice()
{
    QVERIFY(!gpu::chooseDevice({}).has_value());
}

void TstDevice::factsOfThisMachineArePlausible()
{
    const auto devices = gpu::findDevices();
    HS_NEED_DEVICE(!devices.empty());
    for (std::size_t index = 0; index < devices.size(); ++index) {
        const OpenClFacts& facts = devices[index].facts;
        QCOMPARE(facts.common.id, "opencl:" + std::to_string(index));
        QVERIFY(!facts.common.name.empty());
        QVERIFY(!facts.common.platform.empty());
        QVERIFY(!facts.driverVersion.empty());
        QVERIFY(facts.languageVersion.starts_with("OpenCL C "));
        QVERIFY(facts.common.computeUnits > 0);
        QVERIFY(facts.maxWorkGroup > 0);
        QVERIFY(facts.floatVectorWidth > 0);
        QVERIFY(facts.localMemoryBytes >= 1024);
        QVERIFY(facts.maxBufferBytes > 0 && facts.maxBufferBytes <= facts.common.memoryBytes);
    }
}

// The loader reads its list of drivers once per process, so this needs a process of its own: this
// test again, told to count.
void TstDevice::noPlatformIsAnEmptyList()
{
    if (qEnvironmentVariableIsSet("HEADSCOPE_EXPECT_NO_DEVICE")) {
        QCOMPARE(gpu::findDevices().size(), 0U);
        return;
    }
    const QTemporaryDir empty;
    QProcess child;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OCL_ICD_VENDORS", empty.path());
    environment.insert("HEADSCOPE_EXPECT_NO_DEVICE", "1");
    child.setProcessEnvironment(environment);
    child.start(QCoreApplication::applicationFilePath(),
                {test::testName(), "noPlatformIsAnEmptyList"});
    QVERIFY(child.waitForFinished());
    QVERIFY2(child.exitCode() == 0, child.readAllStandardOutput().constData());
}

void TstDevice::affinityOfPoclIsSetButNotOverridden()
{
    const QByteArray before = qgetenv("POCL_AFFINITY");
    gpu::prepareEnvironment();
    QCOMPARE(qgetenv("POCL_AFFINITY"), before.isNull() ? QByteArray("1") : before);
}

void TstDevice::aFailedCallNamesItselfAndItsStatus()
{
    QCOMPARE(gpu::statusName(CL_OUT_OF_RESOURCES), std::string("CL_OUT_OF_RESOURCES"));
    QCOMPARE(gpu::statusName(-1001), std::string("CL_PLATFORM_NOT_FOUND_KHR"));
    QCOMPARE(gpu::statusName(-4711), std::string("-4711"));
    try {
        HS_CL(clFinish(nullptr));
        QFAIL("clFinish of no queue succeeded");
    } catch (const BackendError& error) {
        QCOMPARE(error.status(), CL_INVALID_COMMAND_QUEUE);
        QVERIFY(error.call().find("clFinish") != std::string::npos);
        QVERIFY(error.call().find("CL_INVALID_COMMAND_QUEUE") != std::string::npos);
    }
}

HEADSCOPE_TEST(TstDevice)
#include "tst_device.moc"
