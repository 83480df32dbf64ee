#include "core/base/random.h"
#include "core/runs/jumps.h"
#include "core/runs/smoothing.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headscope;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<std::int64_t> stepsOf(std::size_t count, std::int64_t every = 13)
{
    std::vector<std::int64_t> steps;
    for (std::size_t i = 0; i < count; ++i)
        steps.push_back(static_cast<std::int64_t>(i) * every);
    return steps;
}

template<class Function>
std::vector<double> curveOf(std::size_t count, double noise, Function value)
{
    Random random(5);
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(value(static_cast<double>(i)) + noise * random.normal());
    return values;
}

double sigmoid(double x)
{
    return 1.0 / (1.0 + std::exp(-x));
}

} // namespace

class TstJumps : public QObject
{
    Q_OBJECT

private slots:

    void aRiseBetweenTwoLevelsIsFoundWhereItCrossesHalf_data()
    {
        QTest::addColumn<double>("middle");
        QTest::addColumn<double>("width");
        QTest::newRow("in one step") << 80.0 << 0.01;
        QTest::newRow("within ten points") << 80.0 << 2.5;
        QTest::newRow("early and slow") << 42.0 << 4.0;
        QTest::newRow("late") << 150.0 << 2.0;
    }

    void aRiseBetweenTwoLevelsIsFoundWhereItCrossesHalf()
    {
        QFETCH(double, middle);
        QFETCH(double, width);
        const auto values = curveOf(
            200, 0.01, [&](double i) { return 0.03 + 0.9 * sigmoid((i - middle) / width); });
        const auto jumps = findJumps(stepsOf(200), values);
        QCOMPARE(jumps.size(), std::size_t(1));
        QVERIFY2(std::abs(static_cast<double>(jumps[0].step) - 13.0 * middle) <= 26.0,
                 qPrintable(QString::number(jumps[0].step)));
        QVERIFY(std::abs(jumps[0].before - 0.03) < 0.05);
        QVERIFY(std::abs(jumps[0].after - 0.93) < 0.05);
        QVERIFY(jumps[0].contrast > 20.0);
    }

    void whatIsNoJumpIsNotFound_data()
    {
        QTest::addColumn<std::vector<double>>("values");
        QTest::newRow("noise") << curveOf(200, 0.2, [](double) { return 0.5; });
        QTest::newRow("a slope") << curveOf(200, 0.01, [](double i) { return i / 200.0; });
        QTest::newRow("small") << curveOf(200, 0.005,
                                          [](double i) { return i < 100.0 ? 0.02 : 0.2; });
        QTest::newRow("one spike")
            << curveOf(200, 0.01, [](double i) { return i == 90.0 ? 1.0 : 0.1; });
        QTest::newRow("a fall from the start")
            << curveOf(200, 0.005, [](double i) { return std::exp(-i / 8.0); });
        QTest::newRow("too short") << std::vector<double>{0, 0, 0, 0, 1, 1, 1};
        QTest::newRow("none") << std::vector<double>{};
        QTest::newRow("not defined") << std::vector<double>(100, kNaN);
    }

    void whatIsNoJumpIsNotFound()
    {
        QFETCH(std::vector<double>, values);
        QVERIFY(findJumps(stepsOf(values.size()), values).empty());
    }

    void aRunThatGoesOnWaitsForTheLevelAfterTheJump()
    {
        const auto values =
            curveOf(90, 0.01, [](double i) { return 0.05 + 0.9 * sigmoid((i - 80.0) / 3.0); });
        JumpSettings settings;
        QVERIFY(!findJumps(stepsOf(90), values, settings).empty());
        settings.onlySettled = true;
        QVERIFY(findJumps(stepsOf(90), values, settings).empty());
    }

    void twoJumpsAreTwoAndGapsDoNotMatter()
    {
        auto values = curveOf(
            200, 0.01, [](double i) { return (i >= 60.0 ? 0.4 : 0.0) + (i >= 130.0 ? 0.5 : 0.0); });
        values[10] = kNaN;
        values[131] = kNaN;
        const auto jumps = findJumps(stepsOf(200), values);
        QCOMPARE(jumps.size(), std::size_t(2));
        QCOMPARE(jumps[0].step, std::int64_t(60 * 13));
        QCOMPARE(jumps[1].step, std::int64_t(130 * 13));
    }

    void aLossFallsAtAJumpButNotAtTheStart()
    {
        std::vector<double> losses;
        Random random(3);
        for (std::int64_t i = 0; i < 260; ++i) {
            const auto at = static_cast<double>(i);
            losses.push_back(3.8 + 0.5 * std::exp(-at / 6.0) - 3.6 * sigmoid((at - 56.0) / 3.0) +
                             0.02 * random.normal());
        }
        const auto [low, high] = std::ranges::minmax(losses);
        const auto jumps = findJumps(stepsOf(260, 10), losses, {.height = 0.3 * (high - low)});
        QCOMPARE(jumps.size(), std::size_t(1));
        QVERIFY(std::abs(jumps[0].step - 560) <= 20);
        QVERIFY(jumps[0].after < jumps[0].before);
    }

    void headsThatJumpAreNamedAndFallsAreNot()
    {
        HeadCurves curves;
        for (std::int64_t i = 0; i < 100; ++i) {
            const double rise = i < 50 ? 0.05 : 0.9;
            const double slope = static_cast<double>(i) / 200.0;
            curves.add({i * 10,
                        {{AttentionKind::Self, 0, 0}, {AttentionKind::Self, 1, 2}},
                        {{"induction", {slope, rise}},
                         {"self", {slope, 1.0 - rise}},
                         {"entropy", {rise, rise}}}});
        }
        const auto jumps = findJumps(curves);
        QCOMPARE(jumps.size(), std::size_t(1));
        QCOMPARE(jumps[0].curve, std::string("induction"));
        QVERIFY(jumps[0].place == (HeadId{AttentionKind::Self, 1, 2}));
        QCOMPARE(jumps[0].step, std::int64_t(500));
        QCOMPARE(describe(jumps[0]),
                 std::string("induction of L1H2 jumps from 0.05 to 0.90 at step 500"));
    }

    void smoothingStaysWithinItsWindowAndKeepsTheEnds()
    {
        Random random(9);
        for (const std::size_t radius : {0U, 1U, 3U, 10U, 500U}) {
            std::vector<double> values;
            for (int i = 0; i < 120; ++i)
                values.push_back(random.normal() * (i % 17 == 0 ? 100.0 : 1.0));
            const auto smooth = smoothed(values, radius);
            QCOMPARE(smooth.size(), values.size());
            QCOMPARE(smooth.front(), values.front());
            QCOMPARE(smooth.back(), values.back());
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::size_t reach = std::min({radius, i, values.size() - 1 - i});
                const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i - reach);
                const auto [low, high] =
                    std::minmax_element(begin, begin + static_cast<std::ptrdiff_t>(2 * reach + 1));
                QVERIFY(smooth[i] >= *low && smooth[i] <= *high);
            }
        }
    }

    void smoothingIgnoresASpikeAndKeepsALine()
    {
        std::vector<double> line;
        for (int i = 0; i < 50; ++i)
            line.push_back(2.0 * i);
        std::vector<double> spiked = line;
        spiked[25] = 1e9;
        spiked[30] = kNaN;
        const auto smooth = smoothed(line, 4);
        for (std::size_t i = 0; i < line.size(); ++i)
            QVERIFY(std::abs(smooth[i] - line[i]) < 1e-9);
        for (std::size_t i = 18; i < 34; ++i)
            QVERIFY(std::abs(smoothed(spiked, 4)[i] - line[i]) < 3.0);
        QVERIFY(std::isnan(smoothed(std::vector<double>{kNaN}, 3)[0]));
        QVERIFY(smoothed({}, 3).empty());
    }

    void aLevelIsReachedByTheBestHeadOfTheFirstStep()
    {
        const std::vector<HeadId> heads{{0, 0}, {1, 2}, {1, 3}};
        HeadCurves curves;
        curves.add({10, heads, {{"induction", {kNaN, 0.1, 0.4}}, {"self", {0.9, 0.0, 0.0}}}});
        QVERIFY(!findLevel(curves, "induction", 0.5));
        curves.add({20, heads, {{"induction", {kNaN, 0.5, 0.6}}}});
        curves.add({30, heads, {{"induction", {kNaN, 0.9, 0.7}}}});
        QVERIFY(findLevel(curves, "induction", 0.5) == LevelReached({20, HeadId(1, 3), 0.6}));
        QVERIFY(!findLevel(curves, "diagonal", 0.5));
    }
};

HEADSCOPE_TEST(TstJumps)
#include "tst_jumps.moc"
