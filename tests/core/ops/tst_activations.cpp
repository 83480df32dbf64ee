// labels: golden
#include "core/base/error.h"
#include "core/ops/gated_activation.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr ActivationKind kKinds[] = {ActivationKind::Relu,      ActivationKind::GeluExact,
                                     ActivationKind::GeluTanh,  ActivationKind::Silu,
                                     ActivationKind::QuickGelu, ActivationKind::Sigmoid,
                                     ActivationKind::Tanh,      ActivationKind::Softplus};
constexpr const char* kNames[] = {"relu",       "gelu_exact", "gelu_tanh", "silu",
                                  "quick_gelu", "sigmoid",    "tanh",      "softplus"};
constexpr std::int64_t kWidths[] = {1, 2, 15, 17, 33};

double exactValue(ActivationKind kind, double x)
{
    const auto logistic = [](double z) { return 1.0 / (1.0 + std::exp(-z)); };
    switch (kind) {
    case ActivationKind::Relu:
        return std::max(x, 0.0);
    case ActivationKind::GeluExact:
        return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    case ActivationKind::GeluTanh:
        return x * logistic(2.0 * std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x));
    case ActivationKind::Silu:
        return x * logistic(x);
    case ActivationKind::QuickGelu:
        return x * logistic(1.702 * x);
    case ActivationKind::Sigmoid:
        return logistic(x);
    case ActivationKind::Tanh:
        return std::tanh(x);
    case ActivationKind::Softplus:
        return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
    }
    return NAN;
}

} // namespace

class TstActivations : public QObject
{
    Q_OBJECT

private slots:

    void everyKindAgreesWithTorch()
    {
        const GoldenFile golden("ops/activations.safetensors");
        const Tensor x = golden.tensor("in.x");
        for (std::size_t i = 0; i < std::size(kKinds); ++i) {
            Tensor y(x.shape());
            activation(kKinds[i], x.view(), {}, y.view());
            HS_COMPARE(floats(y), golden.expected(std::string("out.") + kNames[i]), kOps);
            Tensor slope(x.shape());
            std::ranges::fill(slope.values(), 1.0F);
            Tensor again(x.shape());
            activationBackward(kKinds[i], x.view(), slope.view(), again.view());
            HS_COMPARE(floats(slope), golden.expected(std::string("grad.") + kNames[i]), kOps);
            QVERIFY(std::ranges::equal(y.values(), again.values()));
        }
    }

    /// Relative to the value where it is small: tails and the neighbourhood of 0 keep their digits.
    void everyInstructionSetIsExactToSevenDigits()
    {
        std::vector<float> x;
        for (int i = -60000; i <= 60000; ++i)
            x.push_back(static_cast<float>(i) / 5000.0F);
        std::vector<float> y(x.size());
        for (const char* level : {"baseline", "avx2", "avx512"}) {
            const Kernels* const table = kernelsFor(level);
            for (std::size_t kind = 0; table && kind < std::size(kKinds); ++kind) {
                table->activate[kind](x.data(), nullptr, nullptr, y.data(), 1,
                                      static_cast<std::int64_t>(x.size()));
                std::vector<double> expected;
                for (const float value : x)
                    expected.push_back(exactValue(kKinds[kind], value));
                HS_COMPARE(std::span<const float>(y), expected, (Tolerance{3e-7, 3e-7}));
            }
        }
    }

    void smallResultsKeepTheirDigits()
    {
        for (const ActivationKind kind :
             {ActivationKind::Sigmoid, ActivationKind::Tanh, ActivationKind::Softplus}) {
            Tensor x(Shape{5});
            const bool odd = kind == ActivationKind::Tanh;
            std::ranges::copy(odd ? std::array{-1e-7F, 3e-5F, -0.01F, 0.3F, 0.7F}
                                  : std::array{-80.0F, -50.0F, -20.0F, -9.0F, -0.5F},
                              x.data());
            std::vector<double> expected;
            for (const float value : x.values())
                expected.push_back(exactValue(kind, value));
            activation(kind, x.view(), {}, x.view());
            HS_COMPARE(floats(x), expected, (Tolerance{0.0, 1e-6}));
        }
    }

    void limitsAreKeptAndNotANumberStays()
    {
        for (const ActivationKind kind : kKinds) {
            Tensor x(Shape{6});
            std::ranges::copy(std::array{-1e30F, -100.0F, -0.0F, 0.0F, 100.0F, 1e30F}, x.data());
            Tensor slope(x.shape());
            std::ranges::fill(slope.values(), 1.0F);
            activationBackward(kind, x.view(), slope.view());
            const auto isSlope = [](float v) { return v > -1e-6F && v < 1.000001F; };
            QVERIFY(std::ranges::all_of(slope.values(), isSlope));
            std::vector<double> expected;
            for (const float value : x.values())
                expected.push_back(kind == ActivationKind::GeluTanh && std::abs(value) > 1e9F
                                       ? std::max(value, 0.0F)
                                       : exactValue(kind, value));
            activation(kind, x.view(), {}, x.view());
            HS_COMPARE(floats(x), expected, kOps);
            Tensor nan(Shape{1});
            nan.data()[0] = NAN;
            activation(kind, nan.view(), {}, nan.view());
            QVERIFY(std::isnan(nan.data()[0]));
        }
    }

    void gradientsAgreeWithDifferences()
    {
        for (const ActivationKind kind : kKinds) {
            for (const std::int64_t width : kWidths) {
                Tensor x = randomTensor({3, width}, 9);
                for (float& value : x.values())
                    value += value < 0.0F ? -0.2F : 0.2F; // away from the corner of relu
                Tensor bias(Shape{width});
                const Tensor dy = randomTensor({3, width}, 10);
                Tensor total(x.shape());
                const auto value = [&] {
                    Tensor y(x.shape());
                    activation(kind, x.view(), bias.view(), y.view(), total.view());
                    return weightedSum(y, dy);
                };
                value();
                Tensor gradient = dy;
                Tensor dBias(bias.shape());
                activationBackward(kind, total.view(), gradient.view(), {}, dBias.view());
                HS_COMPARE_GRADIENT(value, x.values(), floats(gradient));
                HS_COMPARE_GRADIENT(value, bias.values(), floats(dBias));
            }
        }
    }

    void gatedNetworksAgreeWithTorch_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("kind");
        QTest::newRow("SwiGLU") << "swiglu" << static_cast<int>(ActivationKind::Silu);
        QTest::newRow("GEGLU") << "geglu" << static_cast<int>(ActivationKind::GeluTanh);
    }

    void gatedNetworksAgreeWithTorch()
    {
        QFETCH(QString, file);
        QFETCH(int, kind);
        const auto function = static_cast<ActivationKind>(kind);
        const GoldenFile golden("ops/" + file.toStdString() + ".safetensors");
        const Tensor x = golden.tensor("in.x");
        const Tensor gate = golden.tensor("in.w_gate");
        const Tensor up = golden.tensor("in.w_up");
        const Tensor down = golden.tensor("in.w_down");
        const Tensor dy = golden.tensor("in.dout");
        const std::int64_t rows = x.shape()[0];
        const std::int64_t width = gate.shape()[0];
        Tensor fused(Shape{2 * width, x.shape()[1]});
        std::ranges::copy(gate.values(), fused.data());
        std::ranges::copy(up.values(), fused.data() + gate.size());

        Tensor gateUp(Shape{rows, 2 * width});
        Tensor hidden(Shape{rows, width});
        Tensor y(dy.shape());
        linear(x.view(), fused.view(), {}, gateUp.view());
        gatedActivation(function, gateUp.view(), {}, hidden.view());
        linear(hidden.view(), down.view(), {}, y.view());
        HS_COMPARE(floats(y), golden.expected("out.out"), kOps);

        Tensor dHidden(hidden.shape());
        Tensor dDown(down.shape());
        Tensor dFused(fused.shape());
        Tensor dx(x.shape());
        linearBackward(hidden.view(), down.view(), dy.view(), {dHidden.view(), dDown.view(), {}});
        gatedActivationBackward(function, gateUp.view(), dHidden.view(), gateUp.view());
        linearBackward(x.view(), fused.view(), gateUp.view(), {dx.view(), dFused.view(), {}});
        HS_COMPARE(floats(dx), golden.expected("grad.x"), kOps);
        HS_COMPARE(floats(dFused).first(gate.size()), golden.expected("grad.w_gate"), kOps);
        HS_COMPARE(floats(dFused).last(up.size()), golden.expected("grad.w_up"), kOps);
        HS_COMPARE(floats(dDown), golden.expected("grad.w_down"), kOps);
    }

    void everyInstructionSetGatesByTheDefinition()
    {
        for (const char* level : {"baseline", "avx2", "avx512"}) {
            const Kernels* const table = kernelsFor(level);
            for (std::size_t kind = 0; table && kind < std::size(kKinds); ++kind) {
                for (const std::int64_t width : kWidths) {
                    const Tensor x = randomTensor({3, 2 * width}, 1);
                    const Tensor bias = randomTensor({2 * width}, 2);
                    Tensor y(Shape{3, width});
                    table->gate[kind](x.data(), bias.data(), nullptr, y.data(), 3, width);
                    std::vector<double> expected;
                    for (std::int64_t i = 0; i < 3 * width; ++i) {
                        const float* row = x.data() + i / width * 2 * width;
                        const std::int64_t j = i % width;
                        expected.push_back(
                            exactValue(kKinds[kind], row[j] + bias.data()[j]) *
                            static_cast<double>(row[width + j] + bias.data()[width + j]));
                    }
                    HS_COMPARE(floats(y), expected, kOps);
                }
            }
        }
    }

    void gatedGradientsAgreeWithDifferences()
    {
        for (const ActivationKind kind : kKinds) {
            for (const std::int64_t width : kWidths) {
                Tensor x = randomTensor({3, 2 * width}, 21);
                for (float& value : x.values())
                    value += value < 0.0F ? -0.2F : 0.2F;
                Tensor bias(Shape{2 * width});
                const Tensor dy = randomTensor({3, width}, 22);
                Tensor total(x.shape());
                Tensor y(dy.shape());
                const auto value = [&] {
                    gatedActivation(kind, x.view(), bias.view(), y.view(), total.view());
                    return weightedSum(y, dy);
                };
                value();
                Tensor dx(x.shape());
                Tensor again(y.shape());
                Tensor dBias(bias.shape());
                gatedActivationBackward(kind, total.view(), dy.view(), dx.view(), again.view(),
                                        dBias.view());
                QVERIFY(std::ranges::equal(y.values(), again.values()));
                HS_COMPARE_GRADIENT(value, x.values(), floats(dx));
                HS_COMPARE_GRADIENT(value, bias.values(), floats(dBias));
            }
        }
    }

    void sumsMayReplaceTheirInputs()
    {
        const Tensor bias = randomTensor({34}, 2);
        const Tensor x = randomTensor({3, 34}, 1);
        Tensor total(x.shape());
        Tensor inPlace = x;
        Tensor y(Shape{3, 17});
        Tensor other(y.shape());
        gatedActivation(ActivationKind::Silu, x.view(), bias.view(), y.view(), total.view());
        gatedActivation(ActivationKind::Silu, inPlace.view(), bias.view(), other.view(),
                        inPlace.view());
        QVERIFY(std::ranges::equal(y.values(), other.values()));
        QVERIFY(std::ranges::equal(total.values(), inPlace.values()));
        Tensor apart(x.shape());
        const Tensor dy = randomTensor({3, 17}, 3);
        Tensor overwritten = dy;
        gatedActivationBackward(ActivationKind::Silu, total.view(), dy.view(), apart.view());
        gatedActivationBackward(ActivationKind::Silu, total.view(), overwritten.view(),
                                total.view(), overwritten.view());
        QVERIFY(std::ranges::equal(apart.values(), total.values()));
        QVERIFY(std::ranges::equal(overwritten.values(), y.values()));
    }

    void operandsThatDoNotFitAreRefused()
    {
        Tensor x(Shape{2, 6});
        Tensor odd(Shape{2, 5});
        Tensor y(Shape{2, 3});
        Tensor bias(Shape{3});
        const ActivationKind kind = ActivationKind::Silu;
        QVERIFY_EXCEPTION_THROWN(gatedActivation(kind, odd.view(), {}, y.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(gatedActivation(kind, x.view(), {}, x.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(gatedActivation(kind, x.view(), bias.view(), y.view()),
                                 ShapeError);
        QVERIFY_EXCEPTION_THROWN(gatedActivation(kind, x.view(), {}, y.view(), y.view()),
                                 ShapeError);
        QVERIFY_EXCEPTION_THROWN(gatedActivationBackward(kind, x.view(), y.view(), y.view()),
                                 ShapeError);
        QVERIFY_EXCEPTION_THROWN(activation(kind, x.view(), bias.view(), x.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(activationBackward(kind, x.view(), y.view()), ShapeError);
    }
};

HEADSCOPE_TEST(TstActivations)
#include "tst_activations.moc"
