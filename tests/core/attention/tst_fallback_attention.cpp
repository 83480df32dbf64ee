#include "core/attention/fallback_attention.h"
#include "tests/support/attention_cases.h"
#include "tests/support/failing_attention.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

AttentionCase layerOf(std::int64_t headDim)
{
    AttentionCase test;
    test.queryHeads = 2;
    test.keyHeads = 2;
    test.queryTokens = 9;
    test.keyTokens = 9;
    test.headDim = headDim;
    test.valueDim = headDim;
    test.mask = CaseMask::Causal;
    test.name = "layer";
    return test;
}

} // namespace

class TstFallbackAttention : public QObject
{
    Q_OBJECT

private slots:
    void usesTheDeviceWhileItWorks();
    void nothingIsLostWhenTheDeviceDisappears_data();
    void nothingIsLostWhenTheDeviceDisappears();
    void aFailedDeviceIsNotAskedAgain();
    void declinedShapesRunOnTheCpu();
    void theCallersMistakesAreNotFailures();
    void needsADevice();
};

void TstFallbackAttention::usesTheDeviceWhileItWorks()
{
    auto device = std::make_unique<FailingAttention>(100);
    const FailingAttention* seen = device.get();
    FallbackAttention backend(std::move(device));
    QCOMPARE(compareWithReference(backend, layerOf(8)).problem, std::string());
    QCOMPARE(seen->attempts, 2); // forward, backward
    QVERIFY(backend.ranOnDevice());
    QCOMPARE(backend.describe(), std::string("Device: made of paper"));
    QCOMPARE(backend.name(), std::string_view("device"));
}

void TstFallbackAttention::nothingIsLostWhenTheDeviceDisappears_data()
{
    QTest::addColumn<int>("calls");
    for (int calls = 0; calls <= 6; ++calls)
        QTest::addRow("after %d calls", calls) << calls;
}

void TstFallbackAttention::nothingIsLostWhenTheDeviceDisappears()
{
    QFETCH(int, calls);
    FallbackAttention backend(std::make_unique<FailingAttention>(calls));
    for (int layer = 0; layer < 3; ++layer)
        QCOMPARE(compareWithReference(backend, layerOf(8)).problem, std::string());
    QCOMPARE(backend.hasFailed(), calls < 6);
}

void TstFallbackAttention::aFailedDeviceIsNotAskedAgain()
{
    auto device = std::make_unique<FailingAttention>(1);
    const FailingAttention* seen = device.get();
    FallbackAttention backend(std::move(device));
    for (int layer = 0; layer < 3; ++layer)
        QCOMPARE(compareWithReference(backend, layerOf(8)).problem, std::string());
    QCOMPARE(seen->attempts, 2);
    QVERIFY(!backend.ranOnDevice());
    QCOMPARE(backend.describe(),
             std::string("CPU: device failed (clEnqueueNDRangeKernel failed with status -36)"));
}

void TstFallbackAttention::declinedShapesRunOnTheCpu()
{
    auto device = std::make_unique<FailingAttention>(100);
    device->largestHead = 8;
    const FailingAttention* seen = device.get();
    FallbackAttention backend(std::move(device));
    QCOMPARE(compareWithReference(backend, layerOf(9)).problem, std::string());
    QCOMPARE(seen->attempts, 0);
    QCOMPARE(backend.describe(), std::string("CPU: device does not support this shape"));
    QCOMPARE(compareWithReference(backend, layerOf(8)).problem, std::string());
    QCOMPARE(seen->attempts, 2);
    QVERIFY(!backend.hasFailed());
}

void TstFallbackAttention::theCallersMistakesAreNotFailures()
{
    FallbackAttention backend(std::make_unique<FailingAttention>(100));
    QVERIFY_EXCEPTION_THROWN(backend.forward({}, {}), ShapeError);
    QVERIFY(!backend.hasFailed());
}

void TstFallbackAttention::needsADevice()
{
    QVERIFY_EXCEPTION_THROWN(FallbackAttention(nullptr), Error);
}

HEADSCOPE_TEST(TstFallbackAttention)
#include "tst_fallback_attention.moc"
