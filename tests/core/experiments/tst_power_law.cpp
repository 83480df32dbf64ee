#include "core/base/error.h"
#include "core/base/random.h"
#include "core/experiments/power_law.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

namespace {

std::vector<PowerLawPoint> pointsOf(const PowerLaw& law, double noise = 0.0)
{
    Random random(5);
    std::vector<PowerLawPoint> points;
    for (double size = 2e3; size < 2e6; size *= 2.2)
        points.push_back({size, law.at(size) * std::exp(noise * random.normal())});
    return points;
}

double logError(const std::vector<PowerLawPoint>& points, const PowerLaw& law)
{
    double sum = 0.0;
    for (const PowerLawPoint& point : points)
        sum += std::pow(std::log(point.loss / law.at(point.size)), 2);
    return std::sqrt(sum / static_cast<double>(points.size()));
}

} // namespace

class TstPowerLaw : public QObject
{
    Q_OBJECT

private slots:

    void threePointsGoThroughTheLawByHand()
    {
        // L = 2 + 4 / sqrt(N)
        const PowerLaw law =
            fitPowerLaw(std::vector<PowerLawPoint>{{1.0, 6.0}, {4.0, 4.0}, {16.0, 3.0}});
        QVERIFY(std::abs(law.floor - 2.0) < 1e-5);
        QVERIFY(std::abs(law.factor - 4.0) < 1e-5);
        QVERIFY(std::abs(law.exponent - 0.5) < 1e-5);
        QVERIFY(law.residual < 1e-8);
        QVERIFY(std::abs(law.at(64.0) - 2.5) < 1e-5);
    }

    void lawsAreFoundAgain_data()
    {
        QTest::addColumn<double>("floor");
        QTest::addColumn<double>("factor");
        QTest::addColumn<double>("exponent");
        QTest::newRow("a high floor") << 1.5 << 200.0 << 0.6;
        QTest::newRow("a low floor") << 0.1 << 30.0 << 0.3;
        QTest::newRow("Kaplan's: no floor") << 0.0 << 11.4 << 0.076;
        QTest::newRow("Hoffmann's shape") << 1.69 << 406.4 << 0.34;
        QTest::newRow("steep") << 0.7 << 5e5 << 1.4;
    }

    void lawsAreFoundAgain()
    {
        QFETCH(double, floor);
        QFETCH(double, factor);
        QFETCH(double, exponent);
        const PowerLaw truth{floor, factor, exponent, 0.0};
        const PowerLaw law = fitPowerLaw(pointsOf(truth));
        QVERIFY2(std::abs(law.floor - floor) < 2e-3, qPrintable(QString::number(law.floor)));
        QVERIFY2(std::abs(law.exponent / exponent - 1.0) < 5e-3,
                 qPrintable(QString::number(law.exponent)));
        QVERIFY(std::abs(std::log(law.factor / factor)) < 2e-2);
        QVERIFY(law.residual < 1e-5);
    }

    /// Least squares: no law nearby, and not the true one, is closer to points with noise.
    void noLawNearbyFitsBetter()
    {
        const PowerLaw truth{1.2, 300.0, 0.5, 0.0};
        const auto points = pointsOf(truth, 0.01);
        const PowerLaw law = fitPowerLaw(points);
        QVERIFY(std::abs(law.residual - logError(points, law)) < 1e-12);
        QVERIFY(law.residual <= logError(points, truth));
        QVERIFY(std::abs(law.exponent - 0.5) < 0.1 && std::abs(law.floor - 1.2) < 0.1);
        for (const double step : {-1e-3, 1e-3}) {
            for (int which = 0; which < 3; ++which) {
                PowerLaw other = law;
                (which == 0   ? other.floor
                 : which == 1 ? other.factor
                              : other.exponent) *= 1.0 + step;
                QVERIFY(logError(points, other) >= law.residual);
            }
        }
    }

    void theUnitOfSizeDoesNotMatter()
    {
        auto points = pointsOf({0.9, 50.0, 0.4, 0.0}, 0.02);
        const PowerLaw law = fitPowerLaw(points);
        for (PowerLawPoint& point : points)
            point.size *= 1000.0;
        const PowerLaw other = fitPowerLaw(points);
        QVERIFY(std::abs(law.exponent - other.exponent) < 1e-6);
        QVERIFY(std::abs(law.floor - other.floor) < 1e-5);
    }

    void lossesThatDoNotFallGiveNoPower()
    {
        const PowerLaw law =
            fitPowerLaw(std::vector<PowerLawPoint>{{1e3, 2.0}, {1e4, 2.0}, {1e5, 2.0}, {1e6, 2.0}});
        for (const double size : {1e3, 1e4, 1e6})
            QVERIFY(std::abs(law.at(size) - 2.0) < 1e-6);
    }

    void whatCannotBeFittedIsRefused()
    {
        QVERIFY_EXCEPTION_THROWN(fitPowerLaw({}), Error);
        QVERIFY_EXCEPTION_THROWN(
            fitPowerLaw(std::vector<PowerLawPoint>{{1.0, 2.0}, {1.0, 2.1}, {3.0, 1.0}}), Error);
        for (const PowerLawPoint bad :
             {PowerLawPoint{0.0, 1.0}, PowerLawPoint{1.0, -1.0}, PowerLawPoint{1.0, std::nan("")}})
            QVERIFY_EXCEPTION_THROWN(
                fitPowerLaw(std::vector<PowerLawPoint>{{2.0, 2.0}, {3.0, 1.9}, {4.0, 1.8}, bad}),
                Error);
    }
};

HEADSCOPE_TEST(TstPowerLaw)
#include "tst_power_law.moc"
