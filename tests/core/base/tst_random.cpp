#include "core/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <set>
#include <vector>

using namespace headscope;

class TstRandom : public QObject
{
    Q_OBJECT

private slots:

    /// The first outputs of splitmix64 from seed 0, as published with the algorithm.
    void mixedBitsAreSplitmix64()
    {
        QCOMPARE(mixBits(0), std::uint64_t{0xE220A8397B1DCDAF});
        QCOMPARE(mixBits(0x9E3779B97F4A7C15ULL), std::uint64_t{0x6E789E6AA1B965F4});
    }

    /// From a second implementation (Python integers) of xoshiro256** behind the same seeding.
    void theNumbersAreThoseOfXoshiro()
    {
        Random random(42);
        for (const std::uint64_t expected :
             {std::uint64_t{0x4f4abcae868d76e2}, std::uint64_t{0x2543feda05bf5f38},
              std::uint64_t{0x3b8b416b32afe767}})
            QCOMPARE(random.bits(), expected);
    }

    void theSameSeedGivesTheSameNumbers()
    {
        Random a(42);
        Random b(42);
        Random c(43);
        int different = 0;
        for (int i = 0; i < 100; ++i) {
            const std::uint64_t bits = a.bits();
            QCOMPARE(b.bits(), bits);
            different += c.bits() == bits ? 0 : 1;
        }
        QCOMPARE(different, 100);
    }

    void streamsOfOneSeedDiffer()
    {
        std::set<std::uint64_t> firsts;
        for (std::uint64_t stream = 0; stream < 1000; ++stream)
            firsts.insert(Random(7, stream).bits());
        QCOMPARE(firsts.size(), std::size_t{1000});
    }

    void uniformNumbersLieInTheirRangeWithTheirMoments()
    {
        Random random(1);
        double sum = 0.0;
        double squares = 0.0;
        constexpr int kCount = 200'000;
        for (int i = 0; i < kCount; ++i) {
            const double value = random.uniform();
            QVERIFY(value >= 0.0 && value < 1.0);
            sum += value;
            squares += value * value;
        }
        QVERIFY(std::abs(sum / kCount - 0.5) < 0.004);
        QVERIFY(std::abs(squares / kCount - 1.0 / 3.0) < 0.004);
    }

    void normalNumbersHaveTheMomentsOfANormalDistribution()
    {
        Random random(2);
        double sums[4] = {};
        constexpr int kCount = 200'000;
        for (int i = 0; i < kCount; ++i) {
            const double value = random.normal();
            QVERIFY(std::isfinite(value));
            for (int power = 0; power < 4; ++power)
                sums[power] += std::pow(value, power + 1);
        }
        QVERIFY(std::abs(sums[0] / kCount) < 0.01);
        QVERIFY(std::abs(sums[1] / kCount - 1.0) < 0.02);
        QVERIFY(std::abs(sums[2] / kCount) < 0.05);
        QVERIFY(std::abs(sums[3] / kCount - 3.0) < 0.15);
    }

    void numbersBelowABoundAreEvenlySpread()
    {
        Random random(3);
        std::vector<int> counts(7, 0);
        for (int i = 0; i < 70'000; ++i)
            ++counts.at(random.below(7));
        for (const int count : counts)
            QVERIFY(std::abs(count - 10'000) < 500);
        QCOMPARE(random.below(1), std::uint64_t{0});
        for (int i = 0; i < 100; ++i)
            QVERIFY(random.below(std::uint64_t{1} << 63 | 1) <= std::uint64_t{1} << 63);
    }
};

HEADSCOPE_TEST(TstRandom)
#include "tst_random.moc"
