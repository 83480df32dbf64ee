#include "core/attention/attention_geometry.h"
#include "core/attention/attention_operands.h"
#include "core/attention/auto_attention.h"
#include "tests/support/attention_cases.h"
#include "tests/support/failing_attention.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

AttentionCase layerOf(std::int64_t tokens)
{
    AttentionCase test;
    test.queryHeads = 2;
    test.keyHeads = 2;
    test.queryTokens = tokens;
    test.keyTokens = tokens;
    test.headDim = 16;
    test.valueDim = 16;
    test.name = "layer";
    return test;
}

double flopsOf(std::int64_t tokens)
{
    return attentionFlops(AttentionOperands(layerOf(tokens), 1).inputs(), false);
}

/// One auto backend over a device of paper, with everything it reports.
struct Fixture
{
    explicit Fixture(bool isGpu = false, int calls = 1000, MeasurementStore store = {})
        : measurements(std::make_shared<SharedMeasurements>("paper", std::move(store)))
        , backend(
              {"Paper", isGpu}, [this, calls] { return make(calls); }, measurements)
    {
    }

    std::unique_ptr<AttentionBackend> make(int calls)
    {
        ++made;
        if (calls < 0)
            throw BackendError("clCreateContext", -2);
        auto created = std::make_unique<FailingAttention>(calls);
        device = created.get();
        return created;
    }

    /// The device takes everything from `tokens` on.
    void measured(std::int64_t tokens)
    {
        std::vector<MeasuredClass> classes;
        for (const bool backward : {false, true}) {
            SizeClass size = sizeClassOf(flopsOf(tokens), backward);
            classes.push_back({size, 9.0, 1.0});
            size.index -= 1;
            classes.push_back({size, 1.0, 9.0});
        }
        measurements->set(classes);
    }

    int made = 0;
    FailingAttention* device = nullptr;
    std::shared_ptr<SharedMeasurements> measurements;
    AutoAttention backend;
};

} // namespace

class TstAutoAttention : public QObject
{
    Q_OBJECT

private slots:
    void withoutADeviceItIsTheCpu();
    void unmeasuredDevicesWait();
    void measuredLayersGoToTheWinner();
    void backwardIsChosenByItsOwnWork();
    void theFirstCallNeverMakesTheDevice();
    void aFailingDeviceLeavesTheCpu();
    void aDeclinedLayerIsNotTheDevices();
    void aDeviceThatCannotBeMadeLeavesTheCpu();
    void instancesShareMeasurements();
    void calibrationMeasuresAndSaves();
    void calibrationTellsTheSidesApart();
    void calibrationStops();
    void storedMeasurementsAreUsed();
    void storedMeasurementsOfAnotherDeviceAreNot();
};

void TstAutoAttention::withoutADeviceItIsTheCpu()
{
    AutoAttention backend;
    QCOMPARE(compareWithReference(backend, layerOf(20)).problem, std::string());
    QCOMPARE(backend.describe(), std::string("CPU: no other device"));
    backend.calibrate();
    QVERIFY_EXCEPTION_THROWN(AutoAttention({}, {}, nullptr), Error);
}

void TstAutoAttention::unmeasuredDevicesWait()
{
    Fixture fixture;
    QCOMPARE(compareWithReference(fixture.backend, layerOf(30)).problem, std::string());
    QCOMPARE(fixture.made, 0);
    QCOMPARE(fixture.backend.describe(), std::string("CPU: Paper has not been measured yet"));
}

void TstAutoAttention::measuredLayersGoToTheWinner()
{
    Fixture fixture;
    fixture.measured(32);
    fixture.backend.prepare();
    QCOMPARE(compareWithReference(fixture.backend, layerOf(4)).problem, std::string());
    QCOMPARE(fixture.device->attempts, 0);
    QCOMPARE(fixture.backend.describe(),
             std::string("CPU: faster than Paper for short sentences (measured: 1 vs. 9 ms)"));
    QCOMPARE(compareWithReference(fixture.backend, layerOf(32)).problem, std::string());
    QCOMPARE(fixture.device->attempts, 2);
    QCOMPARE(fixture.backend.describe(),
             std::string("Device: made of paper: faster than the CPU for short sentences "
                         "(measured: 1 vs. 9 ms)"));
}

void TstAutoAttention::backwardIsChosenByItsOwnWork()
{
    // 26 tokens: 5 products of a backward pass are in another class than 9.
    const AttentionInputs inputs = AttentionOperands(layerOf(26), 1).inputs();
    const double forward = attentionFlops(inputs, false);
    const SizeClass own = sizeClassOf(attentionFlops(inputs, true) - forward, true);
    const SizeClass next = sizeClassOf(attentionFlops(inputs, true) + forward, true);
    QCOMPARE(next.index, own.index + 1);
    Fixture fixture;
    fixture.measurements->set(
        {{sizeClassOf(forward, false), 1.0, 9.0}, {own, 9.0, 1.0}, {next, 1.0, 9.0}});
    fixture.backend.prepare();
    QCOMPARE(compareWithReference(fixture.backend, layerOf(26)).problem, std::string());
    QCOMPARE(fixture.device->attempts, 1);
}

void TstAutoAttention::theFirstCallNeverMakesTheDevice()
{
    Fixture fixture;
    fixture.measured(8);
    const AttentionCase test = layerOf(8);
    const AttentionOperands operands(test, 1);
    Tensor context({1, 2, 8, 16});
    AttentionOutputs outputs;
    outputs.context = context.view();
    fixture.backend.forward(operands.inputs(), outputs);
    QCOMPARE(fixture.made, 0);
    QCOMPARE(fixture.backend.describe(), std::string("CPU: Paper is used from the next call on"));
    fixture.backend.forward(operands.inputs(), outputs);
    QCOMPARE(fixture.made, 1);
    QCOMPARE(fixture.device->attempts, 1);
}

void TstAutoAttention::aFailingDeviceLeavesTheCpu()
{
    for (int calls = 0; calls < 5; ++calls) {
        Fixture fixture(false, calls);
        fixture.measured(8);
        fixture.backend.prepare();
        for (int layer = 0; layer < 3; ++layer)
            QCOMPARE(compareWithReference(fixture.backend, layerOf(9)).problem, std::string());
        QCOMPARE(fixture.device->attempts, calls + 1);
        QVERIFY(fixture.backend.describe().starts_with("CPU: device failed ("));
        QCOMPARE(compareWithReference(fixture.backend, layerOf(1)).problem, std::string());
        QVERIFY(fixture.backend.describe().starts_with("CPU: device failed ("));
    }
}

void TstAutoAttention::aDeclinedLayerIsNotTheDevices()
{
    Fixture fixture;
    fixture.measured(8);
    fixture.backend.prepare();
    fixture.device->largestHead = 15;
    QCOMPARE(compareWithReference(fixture.backend, layerOf(9)).problem, std::string());
    QCOMPARE(fixture.backend.describe(), std::string("CPU: device does not support this shape"));
}

void TstAutoAttention::aDeviceThatCannotBeMadeLeavesTheCpu()
{
    Fixture fixture(false, -1);
    fixture.measured(8);
    for (int layer = 0; layer < 3; ++layer)
        QCOMPARE(compareWithReference(fixture.backend, layerOf(9)).problem, std::string());
    QCOMPARE(fixture.made, 1);
    QCOMPARE(fixture.backend.describe(),
             std::string("CPU: Paper is not available (clCreateContext failed with status -2)"));
    fixture.backend.calibrate();
    QCOMPARE(fixture.made, 1);
}

void TstAutoAttention::instancesShareMeasurements()
{
    Fixture fixture;
    AutoAttention other(
        {"Paper", false}, [] { return std::make_unique<FailingAttention>(1000); },
        fixture.measurements);
    other.prepare();
    QCOMPARE(compareWithReference(other, layerOf(9)).problem, std::string());
    QVERIFY(other.describe().starts_with("CPU"));
    fixture.measured(8);
    QCOMPARE(compareWithReference(other, layerOf(9)).problem, std::string());
    QVERIFY(other.describe().starts_with("Device"));
}

void TstAutoAttention::calibrationMeasuresAndSaves()
{
    std::string saved;
    MeasurementStore store;
    store.save = [&](const std::string& text) { saved = text; };
    Fixture fixture(false, 1000, store);
    fixture.backend.calibrate();
    const std::shared_ptr<const MeasuredTable> table = fixture.measurements->table();
    QVERIFY(table->classes.size() >= 2);
    for (const MeasuredClass& measured : table->classes) {
        QVERIFY(measured.cpuMs > 0.0);
        QVERIFY(measured.deviceMs > 0.0);
    }
    QCOMPARE(saved, table->toText());
    QVERIFY(chooseDevice(*table, {"Paper", false}, 1e6, true).measured.has_value());
}

void TstAutoAttention::calibrationTellsTheSidesApart()
{
    Fixture fixture;
    fixture.backend.prepare();
    fixture.device->delay = std::chrono::milliseconds(40);
    fixture.backend.calibrate();
    const std::shared_ptr<const MeasuredTable> table = fixture.measurements->table();
    QCOMPARE(table->classes.size(), std::size_t{2}); // one size: it is slow enough
    QCOMPARE(fixture.device->attempts, 2 * (1 + 5)); // one round to prepare
    for (const MeasuredClass& measured : table->classes)
        QVERIFY(measured.deviceMs >= 40.0 && measured.cpuMs < 40.0);
    // 8 heads, 36 visible pairs, 64 channels; 2 products forward and 5 backward
    const double product = 8.0 * 36 * 64 * 2;
    QVERIFY(table->classes[0].size == sizeClassOf(2 * product, false));
    QVERIFY(table->classes[1].size == sizeClassOf(5 * product, true));
}

void TstAutoAttention::calibrationStops()
{
    Fixture fixture;
    std::stop_source stop;
    stop.request_stop();
    fixture.backend.calibrate(stop.get_token());
    QVERIFY(fixture.measurements->table()->classes.empty());

    // A device that fails while it is measured gives no numbers either.
    Fixture failing(false, 7);
    failing.backend.calibrate();
    QVERIFY(failing.measurements->table()->classes.empty());
    QCOMPARE(compareWithReference(failing.backend, layerOf(9)).problem, std::string());
}

void TstAutoAttention::storedMeasurementsAreUsed()
{
    MeasurementStore store;
    const MeasuredTable table{"paper", {{sizeClassOf(flopsOf(9), false), 4.0, 2.0}}};
    store.load = [&] { return std::optional<std::string>(table.toText()); };
    Fixture fixture(false, 1000, store);
    fixture.backend.prepare();
    QCOMPARE(compareWithReference(fixture.backend, layerOf(9)).problem, std::string());
    QCOMPARE(fixture.device->attempts, 1); // backward was not measured
}

void TstAutoAttention::storedMeasurementsOfAnotherDeviceAreNot()
{
    for (const char* text : {"headscope attention timings 1\nstone\n9 0 4 2\n", "rubbish"}) {
        MeasurementStore store;
        store.load = [&] { return std::optional<std::string>(text); };
        Fixture fixture(false, 1000, store);
        QVERIFY(fixture.measurements->table()->classes.empty());
        QCOMPARE(fixture.measurements->table()->device, std::string("paper"));
    }
}

HEADSCOPE_TEST(TstAutoAttention)
#include "tst_auto_attention.moc"
