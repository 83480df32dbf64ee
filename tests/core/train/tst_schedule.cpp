// labels: golden
#include "core/train/files/training_settings.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <cmath>
#include <fstream>

using namespace headscope;
using namespace headscope::test;
using nlohmann::json;

namespace {

using Kind = ScheduleSettings::Kind;

constexpr Tolerance kExact{1e-15, 1e-12};

json goldenSchedules()
{
    std::ifstream file(goldenDir() / "ops/schedules_and_sizes.json");
    return json::parse(file);
}

ScheduleSettings settingsOf(const json& golden, Kind kind)
{
    ScheduleSettings schedule{kind, golden.at("warmup"), golden.value("total", std::int64_t{0})};
    schedule.floor = golden.value("min_lr", 0.0);
    schedule.dModel = golden.value("d_model", std::int64_t{512});
    return schedule;
}

} // namespace

class TstSchedule : public QObject
{
    Q_OBJECT

private slots:

    void curvesAgreeWithTheirSources_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("kind");
        QTest::newRow("cosine") << "warmup_cosine_zero" << static_cast<int>(Kind::WarmupCosine);
        QTest::newRow("floor") << "warmup_cosine_floor"
                               << static_cast<int>(Kind::WarmupCosineFloor);
        QTest::newRow("linear") << "warmup_linear" << static_cast<int>(Kind::WarmupLinear);
    }

    /// Beyond the total steps the cosine of transformers begins to rise again; ours stays at its
    /// end.
    void curvesAgreeWithTheirSources()
    {
        QFETCH(QString, name);
        QFETCH(int, kind);
        const json golden = goldenSchedules().at(name.toStdString());
        const auto expected = golden.at("lr").get<std::vector<double>>();
        const ScheduleSettings schedule = settingsOf(golden, static_cast<Kind>(kind));
        const std::vector<double> rates =
            schedule.curve(golden.at("base_lr"), static_cast<std::int64_t>(expected.size()));
        const auto planned = static_cast<std::size_t>(schedule.totalSteps) + 1;
        QVERIFY(expected.size() > planned);
        HS_COMPARE(std::span(rates).first(planned), std::span(expected).first(planned), kExact);
        for (std::size_t i = planned; i < rates.size(); ++i)
            QCOMPARE(rates[i], schedule.floor);
    }

    void noamAgreesWithItsFormula()
    {
        const json golden = goldenSchedules().at("noam");
        const ScheduleSettings schedule = settingsOf(golden, Kind::Noam);
        std::vector<double> rates;
        for (const std::int64_t step : golden.at("steps"))
            rates.push_back(schedule.rate(golden.at("factor"), step - 1)); // counted from 1 there
        const auto expected = golden.at("lr").get<std::vector<double>>();
        HS_COMPARE(std::span<const double>(rates), expected, kExact);
    }

    void noamPeaksAtTheEndOfItsWarmUp()
    {
        ScheduleSettings schedule{Kind::Noam, 4000};
        const std::vector<double> curve = schedule.curve(1.0, 20000);
        const auto peak = std::max_element(curve.begin(), curve.end());
        QCOMPARE(peak - curve.begin(), 3999);
        QCOMPARE(std::round(*peak * 1e9), 698771.0); // 6.98771e-4
        schedule.warmupSteps = 0;
        QVERIFY(std::isfinite(schedule.rate(1.0, 0)));
    }

    void theCurveIsTheRateOfEveryStep()
    {
        ScheduleSettings schedule{Kind::Constant, 5, 20};
        QCOMPARE(schedule.curve(0.25, 3), (std::vector<double>{0.25, 0.25, 0.25}));
        QVERIFY(schedule.curve(0.25, 0).empty());
        QVERIFY(schedule.curve(0.25, -1).empty());
        schedule.kind = Kind::WarmupLinear;
        const std::vector<double> curve = schedule.curve(2.0, 22);
        for (std::size_t i = 0; i < curve.size(); ++i)
            QCOMPARE(curve[i], schedule.rate(2.0, static_cast<std::int64_t>(i)));
        QCOMPARE(curve[0], 0.0);
        QCOMPARE(curve[5], 2.0);
        QCOMPARE(curve[20], 0.0);
    }

    void perplexityIsTheNumberOfEquallyLikelyTokens()
    {
        QVERIFY(std::abs(perplexity(std::log(1536.0)) - 1536.0) < 1e-9);
        QCOMPARE(perplexity(0.0), 1.0);
    }
};

HEADSCOPE_TEST(TstSchedule)
#include "tst_schedule.moc"
