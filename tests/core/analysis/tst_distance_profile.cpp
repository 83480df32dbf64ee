#include "core/analysis/scores/distance_profile.h"

#include "core/analysis/scores/pattern_scores.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace {

Tensor uniformCausal(std::int64_t tokens)
{
    Tensor pattern({tokens, tokens});
    for (std::int64_t i = 0; i < tokens; ++i)
        for (std::int64_t j = 0; j <= i; ++j)
            pattern.view()(i, j) = static_cast<float>(1.0 / static_cast<double>(i + 1));
    return pattern;
}

Tensor randomRows(std::int64_t queries, std::int64_t keys)
{
    Random random(5);
    Tensor pattern({queries, keys});
    for (std::int64_t i = 0; i < queries; ++i)
        for (std::int64_t j = 0; j < keys; ++j)
            pattern.view()(i, j) = static_cast<float>(random.below(1000)) / 1000.0F;
    return pattern;
}

/// Cell by cell, as the definition says it.
double meanAt(const Tensor& pattern, std::int64_t from, std::int64_t end)
{
    double sum = 0.0;
    double pairs = 0.0;
    for (std::int64_t i = 0; i < pattern.shape()[0]; ++i)
        for (std::int64_t j = 0; j < pattern.shape()[1]; ++j)
            if (i - j >= from && i - j < end) {
                sum += static_cast<double>(pattern.view()(i, j));
                pairs += 1.0;
            }
    return sum / pairs;
}

} // namespace

class TstDistanceProfile : public QObject
{
    Q_OBJECT

private slots:

    void queriesCanBeLeftOut()
    {
        Tensor pattern({3, 3});
        const float values[] = {1.0F, 0.0F, 0.0F, 0.5F, 0.5F, 0.0F, 0.25F, 0.5F, 0.25F};
        std::copy(std::begin(values), std::end(values), pattern.view().data);
        const DistanceProfile without(pattern.view(), {1});
        QCOMPARE(without.queriesAt(0), 2);
        QCOMPARE(without.at(0), (1.0 + 0.25) / 2.0);
        QCOMPARE(without.at(1), 0.5);
        QCOMPARE(DistanceProfile(pattern.view()).at(1), 0.5);
        QCOMPARE(DistanceProfile(pattern.view()).queriesAt(1), 2);
        QVERIFY_EXCEPTION_THROWN(DistanceProfile(pattern.view(), {3}), ShapeError);
    }

    void anEvenCausalHeadFallsAsTheHarmonicNumbers();
    void everyDistanceIsTheMeanOfItsDiagonal();
    void runsOfDistancesCoverEachOnce();
    void theMeanDistanceFollowsFromTheProfile();
    void nothingIsInventedOutside();
};

void TstDistanceProfile::anEvenCausalHeadFallsAsTheHarmonicNumbers()
{
    const std::int64_t tokens = 9;
    const DistanceProfile profile(uniformCausal(tokens).view());
    for (std::int64_t d = 0; d < tokens; ++d) {
        double harmonic = 0.0;
        for (std::int64_t i = d; i < tokens; ++i)
            harmonic += 1.0 / static_cast<double>(i + 1);
        QVERIFY(std::abs(profile.at(d) - harmonic / static_cast<double>(tokens - d)) < 1e-7);
        QCOMPARE(profile.queriesAt(d), tokens - d);
    }
    QCOMPARE(profile.at(-1), 0.0);
}

void TstDistanceProfile::everyDistanceIsTheMeanOfItsDiagonal()
{
    for (const auto& [queries, keys] :
         {std::pair<std::int64_t, std::int64_t>{6, 6}, {4, 9}, {8, 3}, {1, 1}}) {
        const Tensor pattern = randomRows(queries, keys);
        const DistanceProfile profile(pattern.view());
        QCOMPARE(profile.range(), (DistanceRange{1 - keys, queries}));
        for (std::int64_t d = 1 - keys; d < queries; ++d)
            QVERIFY(std::abs(profile.at(d) - meanAt(pattern, d, d + 1)) < 1e-9);
        for (const DistanceRange& run : logDistances(profile.range()))
            QVERIFY(std::abs(profile.over(run) - meanAt(pattern, run.begin, run.end)) < 1e-9);
    }
}

void TstDistanceProfile::runsOfDistancesCoverEachOnce()
{
    QCOMPARE(logDistances({0, 10}),
             (std::vector<DistanceRange>{{0, 1}, {1, 2}, {2, 4}, {4, 8}, {8, 10}}));
    QCOMPARE(logDistances({-3, 3}),
             (std::vector<DistanceRange>{{-3, -1}, {-1, 0}, {0, 1}, {1, 2}, {2, 3}}));
    for (const auto& runs : {logDistances({-20, 513}), allDistances({-20, 513})}) {
        std::int64_t next = -20;
        for (const DistanceRange& run : runs) {
            QCOMPARE(run.begin, next);
            QVERIFY(run.end > run.begin);
            next = run.end;
        }
        QCOMPARE(next, std::int64_t{513});
    }
}

void TstDistanceProfile::theMeanDistanceFollowsFromTheProfile()
{
    const Tensor pattern = randomRows(12, 12);
    const DistanceProfile profile(pattern.view());
    double mass = 0.0;
    double moment = 0.0;
    for (std::int64_t d = -11; d < 12; ++d) {
        const double here = profile.at(d) * static_cast<double>(profile.queriesAt(d));
        mass += here;
        moment += here * static_cast<double>(std::abs(d));
    }
    QVERIFY(std::abs(moment / mass - meanDistance(pattern.view()).mean) < 1e-9);
}

void TstDistanceProfile::nothingIsInventedOutside()
{
    const Tensor pattern = randomRows(3, 3);
    const DistanceProfile profile(pattern.view());
    QVERIFY(std::isnan(profile.at(3)));
    QVERIFY(std::isnan(profile.at(-3)));
    QCOMPARE(profile.queriesAt(99), std::int64_t{0});
    QVERIFY(std::isnan(DistanceProfile().at(0)));
    const Tensor deep({2, 2, 2});
    QVERIFY_EXCEPTION_THROWN(DistanceProfile(deep.view()), ShapeError);
}

HEADSCOPE_TEST(TstDistanceProfile)
#include "tst_distance_profile.moc"
