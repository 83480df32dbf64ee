#include "core/attention/auto_attention.h"
#include "core/attention/backend_registry.h"
#include "tests/support/attention_cases.h"
#include "tests/support/failing_attention.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

BackendEntry deviceEntry(const char* id, bool isGpu, int computeUnits)
{
    BackendEntry entry;
    entry.facts.id = id;
    entry.facts.name = std::string("Paper ") + id;
    entry.facts.isGpu = isGpu;
    entry.facts.computeUnits = computeUnits;
    entry.create = [] { return std::make_unique<FailingAttention>(0); };
    return entry;
}

AttentionCase smallLayer()
{
    AttentionCase test;
    test.queryTokens = 5;
    test.keyTokens = 5;
    test.headDim = 4;
    test.valueDim = 4;
    return test;
}

QString refusalOf(const BackendRegistry& registry, const char* choice)
{
    try {
        registry.create(choice);
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TstBackendRegistry : public QObject
{
    Q_OBJECT

private slots:
    void knowsTheProcessor();
    void devicesComeWithFallback();
    void theBestDeviceIsAGpu();
    void autoWorksWithAndWithoutDevices();
    void autoLeavesDevicesOfCpuKindAlone();
    void measurementsAreStored();
    void unknownChoicesAreNamed();
};

void TstBackendRegistry::knowsTheProcessor()
{
    const BackendRegistry registry;
    QCOMPARE(registry.entries().size(), std::size_t{2});
    QVERIFY(registry.entries()[0].facts.computeUnits >= 1);
    for (const char* choice : {"cpu", "reference"}) {
        const std::unique_ptr<AttentionBackend> backend = registry.create(choice);
        QCOMPARE(backend->name(), std::string_view(choice));
        QVERIFY(backend->describe().starts_with("CPU"));
        QCOMPARE(compareWithReference(*backend, smallLayer()).problem, std::string());
    }
}

void TstBackendRegistry::devicesComeWithFallback()
{
    BackendRegistry registry;
    registry.add(deviceEntry("opencl:0", false, 2));
    const std::unique_ptr<AttentionBackend> backend = registry.create("opencl:0");
    QCOMPARE(compareWithReference(*backend, smallLayer()).problem, std::string());
    QVERIFY(backend->describe().starts_with("CPU: device failed"));
}

void TstBackendRegistry::theBestDeviceIsAGpu()
{
    BackendRegistry registry;
    registry.add(deviceEntry("opencl:0", false, 64));
    registry.add(deviceEntry("opencl:1", true, 4));
    registry.add(deviceEntry("opencl:2", true, 40));
    registry.add(deviceEntry("opencl:3", true, 40));
    const std::unique_ptr<AttentionBackend> backend = registry.create("auto");
    QCOMPARE(compareWithReference(*backend, smallLayer()).problem, std::string());
    QVERIFY(QString::fromStdString(backend->describe()).contains("Paper opencl:2"));
    bool made = false;
    BackendEntry other = deviceEntry("opencl:4", true, 80);
    other.create = [&] {
        made = true;
        return std::make_unique<FailingAttention>(0);
    };
    registry.create("opencl");
    QVERIFY(!made);
    registry.add(other);
    registry.create("opencl");
    QVERIFY(made);
}

void TstBackendRegistry::autoWorksWithAndWithoutDevices()
{
    BackendRegistry registry;
    std::unique_ptr<AttentionBackend> backend = registry.create("auto");
    QCOMPARE(backend->name(), std::string_view("auto"));
    QCOMPARE(compareWithReference(*backend, smallLayer()).problem, std::string());
    registry.add(deviceEntry("opencl:0", false, 2));
    backend = registry.create("auto");
    QCOMPARE(compareWithReference(*backend, smallLayer()).problem, std::string());
    QCOMPARE(backend->describe(), std::string("CPU: Paper opencl:0 has not been measured yet"));
}

void TstBackendRegistry::autoLeavesDevicesOfCpuKindAlone()
{
    BackendRegistry registry;
    BackendEntry entry = deviceEntry("opencl:0", false, 2);
    entry.facts.isCpu = true;
    int made = 0;
    entry.create = [&made] {
        ++made;
        return std::make_unique<FailingAttention>(100000);
    };
    registry.add(entry);
    const std::unique_ptr<AttentionBackend> backend = registry.create("auto");
    auto& automatic = dynamic_cast<AutoAttention&>(*backend);
    QVERIFY(automatic.isMeasured()); // nothing to measure
    automatic.calibrate();
    QCOMPARE(compareWithReference(*backend, smallLayer()).problem, std::string());
    QCOMPARE(made, 0);
    QCOMPARE(backend->describe(), "CPU: " + whyUnused(entry.facts));
    for (const char* choice : {"opencl", "opencl:0"})
        registry.create(choice);
    QCOMPARE(made, 2);
    registry.add(deviceEntry("opencl:1", true, 1));
    QVERIFY(!dynamic_cast<AutoAttention&>(*registry.create("auto")).isMeasured());
}

void TstBackendRegistry::measurementsAreStored()
{
    BackendRegistry registry;
    BackendEntry entry = deviceEntry("opencl:0", false, 2);
    entry.create = [] { return std::make_unique<FailingAttention>(100000); };
    registry.add(entry);
    std::string stored;
    MeasurementStore store;
    store.load = [&] { return std::optional<std::string>(stored); };
    store.save = [&](const std::string& text) { stored = text; };
    registry.setMeasurementStore(store);
    const std::unique_ptr<AttentionBackend> backend = registry.create("auto");
    dynamic_cast<AutoAttention&>(*backend).calibrate();
    const std::optional<MeasuredTable> table = MeasuredTable::fromText(stored);
    QVERIFY(table.has_value());
    QVERIFY(table->device.starts_with("Paper opencl:0, "));

    // The next run starts with them.
    BackendRegistry next;
    next.add(entry);
    next.setMeasurementStore(store);
    const std::unique_ptr<AttentionBackend> later = next.create("auto");
    QCOMPARE(compareWithReference(*later, smallLayer()).problem, std::string());
    QVERIFY(!QString::fromStdString(later->describe()).contains("has not been measured yet"));
}

void TstBackendRegistry::unknownChoicesAreNamed()
{
    BackendRegistry registry;
    QCOMPARE(refusalOf(registry, "opencl"),
             "no such device: \"opencl\". Choose one of: auto, cpu, reference.");
    registry.add(deviceEntry("opencl:0", false, 2));
    QCOMPARE(refusalOf(registry, "opencl:7"),
             "no such device: \"opencl:7\". Choose one of: auto, opencl, cpu, reference, "
             "opencl:0.");
    QVERIFY(!refusalOf(registry, "").isEmpty());
}

HEADSCOPE_TEST(TstBackendRegistry)
#include "tst_backend_registry.moc"
