#include "core/attention/device_policy.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace {

const PolicyDevice kGpu{"Fast GPU", true};
const PolicyDevice kProcessor{"OpenCL", false};

MeasuredTable tableOf(std::vector<MeasuredClass> classes)
{
    return {"Fast GPU, 1.0", std::move(classes)};
}

/// CPU faster up to 1e7, device faster from 1e9, forward only.
MeasuredTable crossing()
{
    return tableOf({{sizeClassOf(1e5, false), 0.02, 0.11},
                    {sizeClassOf(1e7, false), 0.2, 0.25},
                    {sizeClassOf(1e9, false), 20.0, 1.5}});
}

QString reason(const MeasuredTable& table, const PolicyDevice& device, double flops)
{
    return QString::fromStdString(reasonOf(chooseDevice(table, device, flops, false), device));
}

} // namespace

class TstDevicePolicy : public QObject
{
    Q_OBJECT

private slots:
    void classesGrowFourfold();
    void measurementsDecide();
    void forwardAndBackwardAreMeasuredApart();
    void theNearestClassStandsIn();
    void withoutMeasurementOnlyGpusGetLargeLayers();
    void reasonsAreSentences();
    void tablesSurviveText();
    void damagedTextIsNoTable_data();
    void damagedTextIsNoTable();
};

void TstDevicePolicy::classesGrowFourfold()
{
    for (const double flops : {0.0, 1.0, 3e5, 1e9}) {
        const int smallest = sizeClassOf(flops, false).index;
        QVERIFY(sizeClassOf(flops * 2.0, false).index <= smallest + 1);
        if (flops > 1.0)
            QCOMPARE(sizeClassOf(flops * 4.0, false).index, smallest + 1);
    }
}

void TstDevicePolicy::measurementsDecide()
{
    QVERIFY(!chooseDevice(crossing(), kGpu, 1e5, false).onDevice);
    QVERIFY(!chooseDevice(crossing(), kGpu, 1e7, false).onDevice);
    QVERIFY(chooseDevice(crossing(), kGpu, 1e9, false).onDevice);
    // A processor device may win too, but only by measurement.
    QVERIFY(chooseDevice(crossing(), kProcessor, 1e9, false).onDevice);
}

void TstDevicePolicy::forwardAndBackwardAreMeasuredApart()
{
    MeasuredTable table = crossing();
    QVERIFY(!chooseDevice(table, kProcessor, 1e9, true).measured.has_value());
    table.classes.push_back({sizeClassOf(1e9, true), 10.0, 11.0});
    QVERIFY(!chooseDevice(table, kGpu, 1e9, true).onDevice);
    QVERIFY(chooseDevice(table, kGpu, 1e9, false).onDevice);
}

void TstDevicePolicy::theNearestClassStandsIn()
{
    QVERIFY(chooseDevice(crossing(), kGpu, 1e13, false).onDevice);
    QVERIFY(!chooseDevice(crossing(), kGpu, 10.0, false).onDevice);
    QVERIFY(chooseDevice(crossing(), kGpu, 3e8, false).onDevice);
    QVERIFY(!chooseDevice(crossing(), kGpu, 3e7, false).onDevice);
}

void TstDevicePolicy::withoutMeasurementOnlyGpusGetLargeLayers()
{
    QVERIFY(!chooseDevice({}, kGpu, 1e6, false).onDevice);
    QVERIFY(!chooseDevice({}, kGpu, kUnmeasuredDeviceFlops * 0.99, true).onDevice);
    QVERIFY(chooseDevice({}, kGpu, kUnmeasuredDeviceFlops, true).onDevice);
    QVERIFY(!chooseDevice({}, kProcessor, 1e15, false).onDevice);
}

void TstDevicePolicy::reasonsAreSentences()
{
    QCOMPARE(reason(crossing(), kProcessor, 1e5),
             "faster than OpenCL for short sentences (measured: 0.02 vs. 0.11 ms)");
    QCOMPARE(reason(crossing(), kGpu, 1e9),
             "faster than the CPU for layers of this size (measured: 1.5 vs. 20 ms)");
    QCOMPARE(reason({}, kProcessor, 1e9), "OpenCL has not been measured yet");
    QCOMPARE(reason({}, kGpu, 1e5), "short sentences are too small for Fast GPU");
    QCOMPARE(reason({}, kGpu, 1e9), "a large layer (not measured yet)");
}

void TstDevicePolicy::tablesSurviveText()
{
    const MeasuredTable table = crossing();
    const std::optional<MeasuredTable> read = MeasuredTable::fromText(table.toText());
    QVERIFY(read.has_value());
    QCOMPARE(read->device, table.device);
    QCOMPARE(read->classes.size(), table.classes.size());
    for (std::size_t i = 0; i < table.classes.size(); ++i) {
        QVERIFY(read->classes[i].size == table.classes[i].size);
        QCOMPARE(read->classes[i].cpuMs, table.classes[i].cpuMs);
        QCOMPARE(read->classes[i].deviceMs, table.classes[i].deviceMs);
    }
    QVERIFY(MeasuredTable::fromText(MeasuredTable{"empty", {}}.toText()).has_value());
}

void TstDevicePolicy::damagedTextIsNoTable_data()
{
    QTest::addColumn<QString>("text");
    const QString head = "headscope attention timings 1\ndevice\n";
    QTest::newRow("none") << QString();
    QTest::newRow("another file") << QString("{}");
    QTest::newRow("another version") << QString("headscope attention timings 2\ndevice\n");
    QTest::newRow("no device") << QString("headscope attention timings 1");
    QTest::newRow("cut") << head + "8 0 0.5\n";
    QTest::newRow("words") << head + "eight 0 0.5 0.5\n";
    QTest::newRow("too much") << head + "8 0 0.5 0.5 0.5\n";
    QTest::newRow("neither forward nor backward") << head + "8 2 0.5 0.5\n";
    QTest::newRow("negative time") << head + "8 0 -0.5 0.5\n";
    QTest::newRow("no time") << head + "8 0 0.5 0\n";
    QTest::newRow("not a number") << head + "8 0 nan 0.5\n";
    QTest::newRow("endless") << head + "8 0 1e999 0.5\n";
}

void TstDevicePolicy::damagedTextIsNoTable()
{
    QFETCH(QString, text);
    QVERIFY(!MeasuredTable::fromText(text.toStdString()).has_value());
}

HEADSCOPE_TEST(TstDevicePolicy)
#include "tst_device_policy.moc"
