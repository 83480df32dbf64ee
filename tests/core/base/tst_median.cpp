#include "core/base/median.h"
#include "core/base/stopwatch.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

using namespace headscope;

class TstMedian : public QObject
{
    Q_OBJECT

private slots:

    void takesTheMiddleOfUnsortedValues()
    {
        QCOMPARE(median({7.0}), 7.0);
        QCOMPARE(median({9.0, -1.0, 4.0, 4.5, 100.0}), 4.5);
    }

    void takesTheMeanOfTheTwoInTheMiddle()
    {
        QCOMPARE(median({3.0, 1.0}), 2.0);
        QCOMPARE(median({10.0, 1.0, 4.0, 2.0}), 3.0);
    }

    void isNotANumberWithoutValues() { QVERIFY(std::isnan(median({}))); }

    void timesEachRound()
    {
        std::vector<int> rounds;
        QVERIFY(medianMilliseconds(3, [&](int round) { rounds.push_back(round); }) >= 0.0);
        QCOMPARE(rounds, (std::vector<int>{0, 1, 2}));
        rounds.clear();
        medianMilliseconds(0, [&](int round) { rounds.push_back(round); });
        QCOMPARE(rounds, std::vector<int>{0});
    }

    void measuresInMilliseconds()
    {
        const Stopwatch watch;
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // sleeps at least as long
        QVERIFY(watch.milliseconds() >= 20.0);
        QVERIFY(watch.seconds() >= 0.02);
    }
};

HEADSCOPE_TEST(TstMedian)
#include "tst_median.moc"
