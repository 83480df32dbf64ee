#include "core/base/random.h"
#include "core/ops/activations.h"
#include "core/ops/gated_activation.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

Tensor randomTensor(const Shape& shape, std::uint64_t seed, float spread)
{
    Tensor tensor(shape);
    Random random(seed);
    for (float& value : tensor.values())
        value = spread * static_cast<float>(random.normal());
    return tensor;
}

/// y of one pair of numbers.
float gateOf(float gate, float up)
{
    Tensor pair({1, 2});
    pair.data()[0] = gate;
    pair.data()[1] = up;
    Tensor y({1, 1});
    Tensor sum({1, 2});
    clampedGate(pair.view(), {}, y.view(), sum.view());
    return y.data()[0];
}

double dot(const Tensor& a, const Tensor& b)
{
    return std::inner_product(a.data(), a.data() + a.size(), b.data(), 0.0);
}

} // namespace

class TstGatedActivation : public QObject
{
    Q_OBJECT

private slots:

    void valuesAreThoseOfTheFormula()
    {
        const auto expected = [](double g, double u) {
            return (u + 1.0) * g / (1.0 + std::exp(-1.702 * g));
        };
        QVERIFY(std::abs(double{gateOf(0.5F, 2.0F)} - expected(0.5, 2.0)) < 1e-6);
        QVERIFY(std::abs(double{gateOf(-3.0F, -1.5F)} - expected(-3.0, -1.5)) < 1e-6);
        QCOMPARE(gateOf(1.0F, -1.0F), 0.0F);
        QCOMPARE(gateOf(9.0F, 2.0F), gateOf(7.0F, 2.0F));
        QVERIFY(gateOf(-9.0F, 2.0F) != gateOf(-7.0F, 2.0F)); // only large gates are clamped
        QCOMPARE(gateOf(1.0F, 8.0F), gateOf(1.0F, 7.0F));
        QCOMPARE(gateOf(1.0F, -8.0F), gateOf(1.0F, -7.0F));
    }

    void theBiasIsAddedFirstAndKept()
    {
        Tensor gateUp = randomTensor({3, 8}, 1, 1.0F);
        const Tensor before = gateUp;
        const Tensor bias = randomTensor({8}, 2, 1.0F);
        Tensor y({3, 4});
        clampedGate(gateUp.view(), bias.view(), y.view(), gateUp.view());
        for (std::int64_t row = 0; row < 3; ++row)
            for (std::int64_t i = 0; i < 8; ++i)
                QCOMPARE(gateUp.view()(row, i), before.view()(row, i) + bias.data()[i]);
        QCOMPARE(y.view()(2, 3), gateOf(gateUp.view()(2, 3), gateUp.view()(2, 7)));
    }

    void gradientsAreSlopes()
    {
        Tensor gateUp = randomTensor({3, 8}, 3, 2.0F);
        Tensor bias = randomTensor({8}, 4, 0.5F);
        const Tensor dy = randomTensor({3, 4}, 5, 1.0F);
        Tensor sum({3, 8});
        Tensor y({3, 4});
        const auto value = [&] {
            clampedGate(gateUp.view(), bias.view(), y.view(), sum.view());
            return dot(y, dy);
        };
        value();
        Tensor dGateUp({3, 8});
        Tensor dBias({8});
        Tensor again({3, 4});
        clampedGateBackward(sum.view(), dy.view(), dGateUp.view(), again.view(), dBias.view());
        QVERIFY(std::equal(y.data(), y.data() + y.size(), again.data()));
        HS_COMPARE_GRADIENT(value, gateUp.values(), dGateUp.values());
        HS_COMPARE_GRADIENT(value, bias.values(), dBias.values());
    }

    void clampedNumbersHaveNoGradient()
    {
        Tensor sum({1, 4});
        sum.data()[0] = 8.0F; // gate above the limit
        sum.data()[1] = 1.0F;
        sum.data()[2] = 0.5F;
        sum.data()[3] = -8.0F; // up below it
        Tensor dy({1, 2});
        std::fill_n(dy.data(), 2, 1.0F);
        Tensor d({1, 4});
        clampedGateBackward(sum.view(), dy.view(), d.view());
        QCOMPARE(d.data()[0], 0.0F);
        QVERIFY(d.data()[2] != 0.0F);
        QVERIFY(d.data()[1] != 0.0F);
        QCOMPARE(d.data()[3], 0.0F);
    }

    void aSoftCapIsATanh()
    {
        Tensor x({3});
        x.data()[0] = 0.0F;
        x.data()[1] = 30.0F;
        x.data()[2] = -1000.0F;
        const Tensor same = x;
        softCap(0.0F, x.view());
        QVERIFY(std::equal(x.data(), x.data() + 3, same.data()));
        softCap(30.0F, x.view());
        QCOMPARE(x.data()[0], 0.0F);
        QVERIFY(std::abs(double{x.data()[1]} - 30.0 * std::tanh(1.0)) < 1e-5);
        QCOMPARE(x.data()[2], -30.0F);
    }

    void theGradientOfASoftCapIsItsSlope()
    {
        Tensor x = randomTensor({12}, 6, 3.0F);
        const Tensor dy = randomTensor({12}, 7, 1.0F);
        Tensor y({12});
        const auto value = [&] {
            std::copy_n(x.data(), x.size(), y.data());
            softCap(2.5F, y.view());
            return dot(y, dy);
        };
        value();
        Tensor dx = dy;
        softCapBackward(2.5F, y.view(), dx.view());
        HS_COMPARE_GRADIENT(value, x.values(), dx.values());
    }
};

HEADSCOPE_TEST(TstGatedActivation)
#include "tst_gated_activation.moc"
