// labels: golden
#include "core/base/error.h"
#include "core/ops/positions.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Largest |A_k table[p] - table[p + k]| over the rows that exist.
double residual(const Tensor& table, const Tensor& rotation, std::int64_t k)
{
    const std::int64_t d = table.shape()[1];
    double worst = 0.0;
    for (std::int64_t p = std::max<std::int64_t>(0, -k);
         p + std::max<std::int64_t>(0, k) < table.shape()[0]; ++p) {
        for (std::int64_t i = 0; i < d; ++i) {
            double turned = 0.0;
            for (std::int64_t j = 0; j < d; ++j)
                turned += static_cast<double>(rotation.view()(i, j)) *
                          static_cast<double>(table.view()(p, j));
            worst = std::max(worst, std::abs(turned - static_cast<double>(table.view()(p + k, i))));
        }
    }
    return worst;
}

} // namespace

class TstPositions : public QObject
{
    Q_OBJECT

private slots:

    void bothLayoutsAgreeWithTorch()
    {
        const GoldenFile golden("ops/sinusoidal_pe.safetensors");
        const nlohmann::json& params = golden.params();
        const std::int64_t count = params.at("T");
        const std::int64_t d = params.at("d");
        const double base = params.at("base");
        const Tensor interleaved = sinusoidalPositions(count, d, base);
        HS_COMPARE(interleaved.values(), golden.doubles("out64.interleaved"), kPositions);
        const Tensor concatenated =
            sinusoidalPositions(count, d, base, SinusoidLayout::Concatenated);
        HS_COMPARE(concatenated.values(), golden.doubles("out64.concat"), kPositions);
    }

    void theWorkedExamplesComeOut()
    {
        const Tensor usual = sinusoidalPositions(3, 4);
        const std::vector<double> rows{0,        1,        0,        1,         0.841471, 0.540302,
                                       0.010000, 0.999950, 0.909297, -0.416147, 0.019999, 0.999800};
        HS_COMPARE(usual.values(), rows, (Tolerance{1e-6, 0.0}));
        const Tensor fast = sinusoidalPositions(4, 4, 100.0);
        const std::vector<double> fastRows{0,          1,           0,          1,
                                           0.84147098, 0.54030231,  0.09983342, 0.99500417,
                                           0.90929743, -0.41614684, 0.19866933, 0.98006658,
                                           0.14112001, -0.98999250, 0.29552021, 0.95533649};
        HS_COMPARE(fast.values(), fastRows, (Tolerance{1e-7, 0.0}));
    }

    void concatenatedColumnsAreTheInterleavedOnes()
    {
        for (const std::int64_t d : {1, 2, 5, 8, 33}) {
            const Tensor pairs = sinusoidalPositions(9, d, 500.0);
            const Tensor halves = sinusoidalPositions(9, d, 500.0, SinusoidLayout::Concatenated);
            const std::int64_t sines = (d + 1) / 2;
            for (std::int64_t t = 0; t < 9; ++t) {
                for (std::int64_t i = 0; i < d; ++i)
                    QCOMPARE(halves.view()(t, i % 2 == 0 ? i / 2 : sines + i / 2),
                             pairs.view()(t, i));
            }
        }
    }

    void everyShiftIsARotation()
    {
        for (const std::int64_t d : {2, 4, 6, 32, 64}) {
            for (const double base : {100.0, 10000.0}) {
                const Tensor table = sinusoidalPositions(600, d, base);
                for (const std::int64_t k : {0, 1, 2, 5, 17, 100, 511, -1, -64}) {
                    const Tensor rotation = rotationOf(static_cast<double>(k), d, base);
                    const double worst = residual(table, rotation, k);
                    QVERIFY2(worst < 1e-6, std::to_string(worst).c_str());
                    QVERIFY(residual(table, rotation, k + 1) > 1e-3);
                }
            }
        }
    }

    void rotationsAreBlocksOnTheDiagonal()
    {
        const Tensor rotation = rotationOf(2.5, 6);
        for (std::int64_t i = 0; i < 6; ++i) {
            double length = 0.0;
            for (std::int64_t j = 0; j < 6; ++j) {
                QVERIFY(i / 2 == j / 2 || rotation.view()(i, j) == 0.0F);
                length += std::pow(static_cast<double>(rotation.view()(i, j)), 2.0);
            }
            QVERIFY(std::abs(length - 1.0) < 1e-6);
        }
        QCOMPARE(rotation.view()(0, 1), static_cast<float>(std::sin(2.5)));
        QCOMPARE(rotation.view()(1, 0), -rotation.view()(0, 1));
    }

    void wrongSizesAreRefused()
    {
        for (const double base : {1.0, 0.0, -3.0, std::nan(""), HUGE_VAL}) {
            QVERIFY_EXCEPTION_THROWN(sinusoidalPositions(4, 4, base), ShapeError);
            QVERIFY_EXCEPTION_THROWN(rotationOf(1.0, 4, base), ShapeError);
        }
        QVERIFY_EXCEPTION_THROWN(sinusoidalPositions(-1, 4), ShapeError);
        QVERIFY_EXCEPTION_THROWN(sinusoidalPositions(4, 0), ShapeError);
        for (const std::int64_t d : {-2, 0, 1, 5})
            QVERIFY_EXCEPTION_THROWN(rotationOf(1.0, d), ShapeError);
        QVERIFY_EXCEPTION_THROWN(rotationOf(std::nan(""), 4), ShapeError);
        QCOMPARE(sinusoidalPositions(0, 4).size(), std::size_t(0));
    }
};

HEADSCOPE_TEST(TstPositions)
#include "tst_positions.moc"
