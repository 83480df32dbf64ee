#include "core/analysis/scores/distance_histogram.h"

#include "core/analysis/scores/distance_profile.h"
#include "core/base/error.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

class TstDistanceHistogram : public QObject
{
    Q_OBJECT

private slots:

    void theBinsDouble()
    {
        const std::vector<std::int64_t> begins{0,  1,   2,   4,   8,    16,   32,
                                               64, 128, 256, 512, 1024, 2048, 4096};
        QCOMPARE(begins.size(), DistanceHistogram::kBins);
        for (std::size_t bin = 0; bin < begins.size(); ++bin) {
            QCOMPARE(DistanceHistogram::beginOf(bin), begins[bin]);
            QCOMPARE(DistanceHistogram::binOf(begins[bin]), bin);
            QCOMPARE(DistanceHistogram::binOf(-begins[bin]), bin);
            if (bin > 0)
                QCOMPARE(DistanceHistogram::binOf(begins[bin] - 1), bin - 1);
        }
        QCOMPARE(DistanceHistogram::binOf(1'000'000), std::size_t{13});
    }

    void aPreviousTokenHeadFillsTwoBins()
    {
        Tensor pattern({8, 8});
        for (std::int64_t query = 0; query < 8; ++query)
            pattern.view()(query, std::max<std::int64_t>(query - 1, 0)) = 1.0F;
        const DistanceHistogram histogram = distanceHistogram(pattern.view());
        QCOMPARE(histogram.shares[0], 1.0 / 8.0);
        QCOMPARE(histogram.shares[1], 7.0 / 8.0);
        QCOMPARE(std::accumulate(histogram.shares.begin(), histogram.shares.end(), 0.0), 1.0);
    }

    /// The profile compares distances evenly; times its pairs it is the same attention.
    void itAgreesWithTheProfile()
    {
        Tensor pattern = randomTensor({30, 41}, 5);
        for (float& weight : pattern.values())
            weight = std::abs(weight);
        const DistanceHistogram histogram = distanceHistogram(pattern.view());
        const DistanceProfile profile(pattern.view());
        std::vector<double> mass(DistanceHistogram::kBins);
        double all = 0.0;
        for (std::int64_t d = profile.range().begin; d < profile.range().end; ++d) {
            const double here = profile.at(d) * static_cast<double>(profile.queriesAt(d));
            mass[DistanceHistogram::binOf(d)] += here;
            all += here;
        }
        for (std::size_t bin = 0; bin < mass.size(); ++bin)
            QVERIFY(std::abs(histogram.shares[bin] - mass[bin] / all) < 1e-12);
    }

    void withoutAttentionItIsNotDefined()
    {
        QVERIFY(std::isnan(distanceHistogram(Tensor({3, 3}).view()).shares[0]));
        QVERIFY_THROWS_EXCEPTION(ShapeError, distanceHistogram(Tensor({2, 3, 3}).view()));
    }
};

HEADSCOPE_TEST(TstDistanceHistogram)
#include "tst_distance_histogram.moc"
