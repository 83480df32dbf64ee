#include "core/analysis/flow/path_integral.h"

#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace {

PathPoint fourthPower(double at)
{
    return {at, std::pow(at, 4), 4.0 * std::pow(at, 3), {}};
}

} // namespace

class TstPathIntegral : public QObject
{
    Q_OBJECT

private slots:

    void progressRisesToOne()
    {
        for (const int most : {0, 5, 12}) {
            std::vector<double> reported;
            const auto points = followPath(fourthPower(1.0), most, 0.0, fourthPower,
                                           [&](double part) { reported.push_back(part); });
            QCOMPARE(points.size(), static_cast<std::size_t>(std::max(most, 5)));
            QCOMPARE(reported.size(), points.size() - 1); // the end is known before
            for (std::size_t i = 0; i < reported.size(); ++i)
                QVERIFY(reported[i] > (i == 0 ? 0.0 : reported[i - 1]));
            QCOMPARE(reported.back(), 1.0);
        }
    }

    void theWorstIntervalIsHalved()
    {
        const auto points = followPath(fourthPower(1.0), 6, 0.0, fourthPower);
        std::vector<double> at;
        for (const PathPoint& point : points)
            at.push_back(point.at);
        QCOMPARE(at, (std::vector<double>{0.0, 0.25, 0.5, 0.75, 0.875, 1.0}));
    }
};

HEADSCOPE_TEST(TstPathIntegral)
#include "tst_path_integral.moc"
