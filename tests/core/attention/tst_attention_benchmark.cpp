#include "core/attention/attention_benchmark.h"
#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "tests/support/failing_attention.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <set>

using namespace headscope;
using namespace headscope::test;

class TstAttentionBenchmark : public QObject
{
    Q_OBJECT

private slots:
    void everyShapeComesInAllFourWays();
    void reportsEveryBackendThatCan();
    void timesAreThoseOfOneCall();
};

void TstAttentionBenchmark::everyShapeComesInAllFourWays()
{
    std::set<std::string> names;
    for (const BenchmarkShape& shape : benchmarkShapes())
        names.insert(shape.toString());
    QCOMPARE(names.size(), benchmarkShapes().size());
    QCOMPARE(names.size() % 4, std::size_t{0});
    QVERIFY(names.contains("1 x 8 heads, 16 tokens of 32, causal, forward"));
    QVERIFY(names.contains("1 x 8 heads, 2048 tokens of 64, full, forward and backward"));
}

void TstAttentionBenchmark::reportsEveryBackendThatCan()
{
    CpuAttention cpu;
    ReferenceAttention reference;
    FailingAttention declining(0);
    declining.largestHead = 4;
    const BenchmarkShape shape{1, 2, 6, 8, true, true};
    const BenchmarkResult result =
        benchmarkAttention({&cpu, &reference, &declining}, shape, {3, 1e-4});
    QCOMPARE(result.rounds, 3);
    QCOMPARE(result.times.size(), std::size_t{2});
    QCOMPARE(result.times[0].backend, std::string("cpu"));
    QCOMPARE(result.times[1].backend, std::string("reference"));
    for (const BenchmarkTimes& times : result.times) {
        QVERIFY(times.bestMs > 0.0);
        QVERIFY(times.medianMs >= times.bestMs);
        // 21 visible pairs, 7 products of 8 channels, 2 heads, 2 operations each
        const double flops = 21.0 * 7 * 8 * 2 * 2;
        QVERIFY(std::abs(times.gigaFlops * times.medianMs * 1e6 - flops) < 1e-6 * flops);
    }
    QCOMPARE(declining.attempts, 0);
}

void TstAttentionBenchmark::timesAreThoseOfOneCall()
{
    CpuAttention cpu;
    const BenchmarkShape shape{1, 2, 6, 8, true, false};
    QElapsedTimer timer;
    timer.start();
    const BenchmarkResult result = benchmarkAttention({&cpu}, shape, {1, 0.02});
    QVERIFY(result.times[0].bestMs < static_cast<double>(timer.nsecsElapsed()) * 1e-6);
}

HEADSCOPE_TEST(TstAttentionBenchmark)
#include "tst_attention_benchmark.moc"
