// Worked examples of positions, score variance, a whole block and the KV cache.
#include "core/base/error.h"
#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/worked_example.h"
#include "core/ops/positions.h"
#include "tests/core/lessons/worked_values.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using test::compareMatrix;
using test::exactText;

namespace {

WorkedExample worked(ExampleInputs inputs, const char* name = nullptr, const char* value = "")
{
    if (name)
        inputs.set(name, value);
    return workExample(inputs);
}

} // namespace

class TstWorkedBlocks : public QObject
{
    Q_OBJECT

private slots:
    void sinusoidalRowsAreThoseOfO1();
    void sinusoidalRowsAreTheCores();
    void oddDimensionsAreRefused();
    void varianceOfAScoreIsItsDimensionA5();
    void sampledVarianceIsNearTheExactOne_data();
    void sampledVarianceIsNearTheExactOne();
    void sampleFollowsItsSeed();
    void varianceOfEntriesEntersTwice();
    void badSampleSettingsAreRefused_data();
    void badSampleSettingsAreRefused();
    void blockOfTwoTokensContinuesA3();
    void blockIsWhatNumpyComputes();
    void blockWithoutResidualConnectionsIsWhatNumpyComputes();
    void cachedAttentionIsMaskedAttentionOfA2();
    void cacheCountsItsWorkA9();
    void cacheOfARealModelHasItsBytesA9();
};

void TstWorkedBlocks::sinusoidalRowsAreThoseOfO1()
{
    const ExampleInputs inputs = exampleInputs("sinusoidal");
    const WorkedExample example = worked(inputs);
    compareMatrix(example, "denominators", {1, 100});
    compareMatrix(
        example, "PE",
        {0, 1, 0, 1, .841471, .540302, .00999983, .999950, .909297, -.416147, .0199987, .999800});
    QCOMPARE(exactText(example, "denominators[1,0]"), "100");
    QCOMPARE(exactText(example, "angles[2,1]"), "1/50");
    compareMatrix(worked(inputs, "base[0,0]", "100"), "PE",
                  {0, 1, 0, 1, .84147098, .54030231, .09983342, .99500417, .90929743, -.41614684,
                   .19866933, .98006658});
}

void TstWorkedBlocks::sinusoidalRowsAreTheCores()
{
    ExampleInputs inputs = exampleInputs("sinusoidal");
    inputs.set("positions[0,0]", "7");
    inputs.set("positions[1,0]", "31");
    for (const char* d : {"2", "6", "16"}) {
        inputs.set("d[0,0]", d);
        const WorkedExample example = worked(inputs);
        const Tensor table = sinusoidalPositions(32, std::atoi(d), 10000.0);
        for (int column = 0; column < std::atoi(d); ++column)
            for (const auto& [row, position] : {std::pair{0, 7}, {1, 31}, {2, 2}})
                QVERIFY(
                    std::abs(example.find("PE")
                                 ->values[static_cast<std::size_t>(row * std::atoi(d) + column)] -
                             static_cast<double>(table.view()(position, column))) < 1e-6);
    }
}

void TstWorkedBlocks::oddDimensionsAreRefused()
{
    const ExampleInputs inputs = exampleInputs("sinusoidal");
    for (const char* d : {"3", "0", "-2", "2.5", "18"})
        QVERIFY_EXCEPTION_THROWN(worked(inputs, "d[0,0]", d), Error);
    QVERIFY_EXCEPTION_THROWN(worked(inputs, "base[0,0]", "1"), Error);
}

void TstWorkedBlocks::varianceOfAScoreIsItsDimensionA5()
{
    const ExampleInputs inputs = exampleInputs("score-variance");
    for (const char* d : {"1", "4", "64", "512"}) {
        const WorkedExample example = worked(inputs, "d_k[0,0]", d);
        QCOMPARE(example.number("variance_product[0,0]"), 1.0);
        QCOMPARE(example.number("variance_score[0,0]"), std::atof(d));
        QCOMPARE(example.number("scaled_variance[0,0]"), 1.0);
        QCOMPARE(example.number("size[0,0]"), std::sqrt(std::atof(d)));
    }
    QCOMPARE(exactText(worked(inputs), "size[0,0]"), "8");
}

void TstWorkedBlocks::sampledVarianceIsNearTheExactOne_data()
{
    QTest::addColumn<QString>("switched");
    QTest::addColumn<QString>("seed");
    for (const char* on : {"off", "on"})
        for (const char* seed : {"1", "2", "99"})
            QTest::addRow("%s %s", on, seed) << QString(on) << QString(seed);
}

/// The standard error of a variance over n scores is about sqrt(2 / n) of it.
void TstWorkedBlocks::sampledVarianceIsNearTheExactOne()
{
    QFETCH(QString, switched);
    QFETCH(QString, seed);
    ExampleInputs inputs = exampleInputs("score-variance");
    inputs.set("uniform", switched.toStdString());
    const WorkedExample example = worked(inputs, "seed[0,0]", seed.toStdString().c_str());
    const double error = 5.0 * std::sqrt(2.0 / 10000.0);
    QVERIFY(std::abs(example.number("variance_score[0,1]") / 64.0 - 1.0) < error);
    QVERIFY(std::abs(example.number("scaled_variance[0,1]") - 1.0) < error);
    for (const char* entry : {"variance_q[0,1]", "variance_k[0,1]", "variance_product[0,1]"})
        QVERIFY(std::abs(example.number(entry) - 1.0) < 0.02);
    QVERIFY(example.number("variance_score[0,1]") != 64.0);
}

void TstWorkedBlocks::sampleFollowsItsSeed()
{
    const ExampleInputs inputs = exampleInputs("score-variance");
    const double first = worked(inputs).number("variance_score[0,1]");
    QCOMPARE(worked(inputs).number("variance_score[0,1]"), first);
    QVERIFY(worked(inputs, "seed[0,0]", "2").number("variance_score[0,1]") != first);
    QVERIFY(worked(inputs, "uniform", "on").number("variance_score[0,1]") != first);
}

void TstWorkedBlocks::varianceOfEntriesEntersTwice()
{
    const WorkedExample example = worked(exampleInputs("score-variance"), "variance[0,0]", "0.25");
    QCOMPARE(example.number("variance_score[0,0]"), 64.0 / 16.0);
    QCOMPARE(example.number("scaled_variance[0,0]"), 1.0 / 16.0);
    QVERIFY(std::abs(example.number("variance_score[0,1]") - 4.0) < 0.3);
}

void TstWorkedBlocks::badSampleSettingsAreRefused_data()
{
    QTest::addColumn<QString>("cell");
    QTest::addColumn<QString>("value");
    QTest::newRow("dimension") << "d_k[0,0]"
                               << "0";
    QTest::newRow("half a dimension") << "d_k[0,0]"
                                      << "1.5";
    QTest::newRow("pairs") << "pairs[0,0]"
                           << "1";
    QTest::newRow("many pairs") << "pairs[0,0]"
                                << "10001";
    QTest::newRow("seed") << "seed[0,0]"
                          << "-1";
    QTest::newRow("variance") << "variance[0,0]"
                              << "-0.5";
}

void TstWorkedBlocks::badSampleSettingsAreRefused()
{
    QFETCH(QString, cell);
    QFETCH(QString, value);
    QVERIFY_EXCEPTION_THROWN(
        worked(exampleInputs("score-variance"), qPrintable(cell), qPrintable(value)), Error);
}

void TstWorkedBlocks::blockOfTwoTokensContinuesA3()
{
    const WorkedExample block = worked(exampleInputs("encoder-block"));
    const WorkedExample alone = worked(exampleInputs("two-tokens"));
    for (const char* name : {"Q", "K", "V", "scores", "weights"})
        compareMatrix(block, name, alone.find(name)->values);
    compareMatrix(block, "context", alone.find("output")->values);
    compareMatrix(block, "context", {2, 3, 2.339523, 3.339523});
    compareMatrix(block, "attended", {2, 3, 1, 1.5, 2.339523, 3.339523, 1.169762, 1.669762});
}

void TstWorkedBlocks::blockIsWhatNumpyComputes()
{
    const WorkedExample block = worked(exampleInputs("encoder-block"));
    compareMatrix(block, "norm_1",
                  {0.9622390, 0.9622390, -0.5773434, -1.3471347, -0.2559132, 1.5082802, -1.2877561,
                   0.0353890});
    compareMatrix(block, "output",
                  {1.3002123, 0.5762800, -0.6090917, -1.2674007, -0.7928910, 1.3249102, -1.1246063,
                   0.5925871});
    QCOMPARE(exactText(block, "sum_1[0,0]"), "3");
    QVERIFY(block.number("active[0,1]") == 0.0 && block.number("hidden[0,1]") < 0.0);
}

void TstWorkedBlocks::blockWithoutResidualConnectionsIsWhatNumpyComputes()
{
    const WorkedExample block = worked(exampleInputs("encoder-block"), "residual", "off");
    QVERIFY(!block.find("sum_1") && !block.find("sum_2"));
    compareMatrix(block, "output",
                  {-0.8695100, -0.6272404, -0.1817022, 1.6784527, -0.8548849, -0.6867308,
                   -0.1261156, 1.6677313});
}

void TstWorkedBlocks::cachedAttentionIsMaskedAttentionOfA2()
{
    const WorkedExample cached = worked(exampleInputs("kv-cache-steps"));
    const WorkedExample masked = worked(exampleInputs("attention"), "causal", "on");
    for (const char* name : {"Q", "K", "V", "output"})
        compareMatrix(cached, name, masked.find(name)->values);
    compareMatrix(cached, "weights_0", {1});
    compareMatrix(cached, "weights_1", {.5, .5});
    compareMatrix(cached, "weights_2", {.503490, .248255, .248255});
    QCOMPARE(exactText(cached, "weights_2[0,0]"), "1/(1 + 2e^(−√2/2))");
}

void TstWorkedBlocks::cacheCountsItsWorkA9()
{
    const WorkedExample cached = worked(exampleInputs("kv-cache-steps"));
    compareMatrix(cached, "work", {2, 0, 0, 8, 2, 2, 2, 16, 2, 4, 4, 24});
    compareMatrix(cached, "total", {6, 12});
}

/// 2 L n h_kv d_k bytes, with the example's two dimensions for each head.
void TstWorkedBlocks::cacheOfARealModelHasItsBytesA9()
{
    ExampleInputs inputs = exampleInputs("kv-cache-steps");
    inputs.set("sizes[0,0]", "80");
    const WorkedExample cached = worked(inputs, "sizes[0,1]", "8");
    QCOMPARE(cached.number("work[2,3]"), 2.0 * 80 * 3 * 8 * 2 * 2);
    QVERIFY_EXCEPTION_THROWN(worked(inputs, "sizes[0,2]", "0.5"), Error);
}

HEADSCOPE_TEST(TstWorkedBlocks)

#include "tst_worked_blocks.moc"
